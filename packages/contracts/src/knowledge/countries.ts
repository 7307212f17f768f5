import codes from 'i18n-iso-countries/codes.json' with { type: 'json' }
import { type CountryCode, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js'
import type { CountryItem as Country } from './country-item.ts'

/** Only the codes: the package's main entry loads the names of all countries in 80 languages. */
const isoCodes = codes as [code: string, iso: string, id: string, subdivisions: string][]
const names = new Intl.DisplayNames('en', { type: 'region' })

/** Kosovo's numeric code is not assigned by ISO. */
const USER_ASSIGNED = 'XK'

/** Every country with an ISO number whose phone numbers libphonenumber can check, sorted by name. */
export const countries: Country[] = isoCodes
  .filter(([code]) => code !== USER_ASSIGNED && isSupportedCountry(code))
  .map(([code, iso, id]) => ({
    id,
    code,
    iso,
    label: names.of(code) ?? code,
    phonecode: `+${getCountryCallingCode(code as CountryCode)}`,
  }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'))

const byId = new Map(countries.map(country => [country.id, country]))

export const countryById = (id: string): Country | undefined => byId.get(id)
