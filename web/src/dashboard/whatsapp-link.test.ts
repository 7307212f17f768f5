import { whatsappLink } from './whatsapp-link.ts'

test.each(['15550104477', '+1 (555) 010-4477'])(
  'when the number is %s, then the link has its digits only',
  number => {
    expect(whatsappLink(number, 'K7M2QX')).toBe(
      'https://wa.me/15550104477?text=Hi%20Voxscribe!%20My%20link%20code%20is%20K7M2QX',
    )
  },
)
