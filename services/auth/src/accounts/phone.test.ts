import { countryById } from '@voxscribe/contracts/countries'
import { numberOfSender, readTypedNumber } from './phone.ts'

const country = (id: string) => countryById(id)!
const US = country('840')
const GB = country('826')
const IT = country('380')
const MX = country('484')
const CA = country('124')

test.each([
  ['national digits', '2025550123', US, '840', '2025550123', '12025550123'],
  ['digits with signs', '(202) 555-0123', US, '840', '2025550123', '12025550123'],
  ['a leading trunk 0', '07911 123456', GB, '826', '7911123456', '447911123456'],
  ['the 0 that Italy keeps', '06 12345678', IT, '380', '0612345678', '390612345678'],
  ['the calling code without a plus', '447911123456', GB, '826', '7911123456', '447911123456'],
  ['a whole number of another country', '+44 20 7946 0958', US, '826', '2079460958', '442079460958'],
  ['a number as WhatsApp shows it', '+52 1 55 1234 5678', MX, '484', '5512345678', '525512345678'],
  ['the same without its prefix', '1 55 1234 5678', MX, '484', '5512345678', '525512345678'],
  ['a whole number with 00', '0044 20 7946 0958', US, '826', '2079460958', '442079460958'],
  ['a calling code that countries share', '+1 202 555 0123', CA, '124', '2025550123', '12025550123'],
])('when %s is typed, then the number is understood', (_what, typed, chosen, countryId, national, phone) => {
  expect(readTypedNumber(typed, chosen)).toEqual({ countryId, national, phone })
})

test.each(['123', '0', '+44', '999999999999999', '+999 123 456 789', '---', '202555012345'])(
  'when %s is typed, which cannot exist, then the field is named',
  typed => {
    expect(() => readTypedNumber(typed, US)).toThrow(
      expect.objectContaining({
        status: 400,
        errors: [expect.objectContaining({ field: 'wtp_number' })],
      }),
    )
  },
)

test.each([
  ['in a known plan', '447911123456', /^(826|831)$/, '7911123456'],
  ['with the old Mexican mobile digit', '5215512345678', /^484$/, '5512345678'],
  ['in no numbering plan', '99912345678', /^840$/, '99912345678'],
])('when WhatsApp reports a number %s, then its digits are kept', (_what, phone, countryId, national) => {
  expect(numberOfSender(phone, '840')).toEqual({
    countryId: expect.stringMatching(countryId),
    national,
    phone,
  })
})
