import { someCountries } from '../../testing/people.ts'
import { readPhone } from './phone-number.ts'

const us = '840'
const canada = '124'
const britain = '826'
const germany = '276'

test.each([
  ['2015550123', us, '2015550123', us],
  ['(201) 555-0123', us, '2015550123', us],
  ['20a1b5', us, '2015', us],
  ['', us, '', us],
  ['1234567890123456789', us, '123456789012345', us],
  ['+44 20 7946 0958', us, '2079460958', britain],
  ['  +44 (0)20 7946 0958', us, '2079460958', britain],
  ['0044 20 7946 0958', us, '2079460958', britain],
  ['+1 (201) 555-0123', germany, '2015550123', us],
  ['+1 416 555 0123', canada, '4165550123', canada],
  ['+49 30 901820', germany, '30901820', germany],
  ['+91 98765 43210', britain, '9876543210', '356'],
  ['+999 1234567', us, '9991234567', us],
  ['+4', us, '4', us],
  ['030 901820', germany, '030901820', germany],
  ['٠١٠٠١٢٣٤٥٦٧', us, '01001234567', us],
  ['+९१ ९८७६५ ४३२१०', britain, '9876543210', '356'],
  ['\u202a+44 20 7946 0958\u202c', us, '2079460958', britain],
])('when %j is pasted while %s is chosen, then it is %s of %s', (text, chosen, digits, countryId) => {
  expect(readPhone(text, someCountries, chosen)).toEqual({ digits, countryId })
})

test('when the countries are not there yet, then digits are still digits', () => {
  expect(readPhone('+44 20', [], '')).toEqual({ digits: '4420', countryId: '' })
})
