import { countries } from './countries.ts'
import { isTimeZone, timeZoneOfCountry } from './time-zones.ts'

test('when a country has telephones, then there is a time zone for its people', () => {
  const without = countries.filter(({ code }) => timeZoneOfCountry(code) === 'UTC')
  expect(without.map(({ code }) => code)).toEqual([])
  expect(countries.filter(({ code }) => !isTimeZone(timeZoneOfCountry(code)))).toEqual([])
})

test.each([
  ['US', 'America/New_York'],
  ['DE', 'Europe/Berlin'],
  ['CN', 'Asia/Shanghai'],
  ['UA', 'Europe/Kiev'],
  ['CD', 'Africa/Kinshasa'],
  ['ID', 'Asia/Jakarta'],
  ['KZ', 'Asia/Almaty'],
  ['MY', 'Asia/Kuala_Lumpur'],
  ['NZ', 'Pacific/Auckland'],
  ['EC', 'America/Guayaquil'],
  ['IN', 'Asia/Calcutta'],
])('when a person of %s chose none, then it is %s', (country, zone) => {
  expect(timeZoneOfCountry(country)).toBe(zone)
})

test.each(['Europe/Berlin', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT-3'])(
  'when a browser is in %s, then that is a time zone',
  name => expect(isTimeZone(name)).toBe(true),
)

test.each(['', 'Mars/Olympus', 'Europe', '../etc'])('when it is “%s”, then it is none', name =>
  expect(isTimeZone(name)).toBe(false),
)
