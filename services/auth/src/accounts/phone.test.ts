import { countryById } from '@voxscribe/contracts/countries'
import { numberOfSender, readNumber } from './phone.ts'

const country = (id: string) => countryById(id)!
const US = country('840')
const GB = country('826')
const IT = country('380')

test.each([
  ['national digits', '2025550123', US, '840', '2025550123', '12025550123'],
  ['digits with signs', '(202) 555-0123', US, '840', '2025550123', '12025550123'],
  ['a leading trunk 0', '07911 123456', GB, '826', '7911123456', '447911123456'],
  ['the 0 that Italy keeps', '06 12345678', IT, '380', '0612345678', '390612345678'],
  ['the calling code without a plus', '447911123456', GB, '826', '7911123456', '447911123456'],
  ['a whole number of another country', '+44 20 7946 0958', US, '826', '2079460958', '442079460958'],
  [
    'a number as WhatsApp shows it',
    '+52 1 55 1234 5678',
    country('484'),
    '484',
    '5512345678',
    '525512345678',
  ],
  [
    'a number as WhatsApp shows it, without its prefix',
    '1 55 1234 5678',
    country('484'),
    '484',
    '5512345678',
    '525512345678',
  ],
  ['a whole number with 00', '0044 20 7946 0958', US, '826', '2079460958', '442079460958'],
  [
    'a calling code that countries share',
    '+1 202 555 0123',
    country('124'),
    '124',
    '2025550123',
    '12025550123',
  ],
])('when %s is typed, then the number is understood', (_what, typed, chosen, countryId, national, phone) => {
  expect(readNumber(typed, chosen)).toEqual({ countryId, national, phone })
})

test.each(['123', '0', '+44', '999999999999999', '+999 123 456 789', '---', '202555012345'])(
  'when %s is typed, which cannot exist, then the field is named',
  typed => {
    expect(() => readNumber(typed, US)).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        errors: [expect.objectContaining({ field: 'wtp_number' })],
      }),
    )
  },
)

test('when WhatsApp reports a sender, then country and national digits follow from the number', () => {
  expect(numberOfSender('447911123456', '840')).toEqual({
    countryId: expect.stringMatching(/^(826|831)$/),
    national: '7911123456',
    phone: '447911123456',
  })
})

test('when a Mexican sender has the old mobile digit, then the number is kept as in WhatsApp', () => {
  expect(numberOfSender('5215512345678', '840')).toEqual({
    countryId: '484',
    national: '5512345678',
    phone: '5215512345678',
  })
})

test('when no numbering plan knows the sender, then its digits are kept', () => {
  expect(numberOfSender('99912345678', '840')).toEqual({
    countryId: '840',
    national: '99912345678',
    phone: '99912345678',
  })
})
