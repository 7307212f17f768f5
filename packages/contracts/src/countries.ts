import { type CountryCode, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js'
import type { Country as WorldCountry } from 'world-countries'
import published from 'world-countries'

// The package's types describe an ES module; what it ships is CommonJS, whose default export is the list itself.
const worldCountries = published as unknown as WorldCountry[]

export interface Country {
  /** ISO 3166-1 numeric, three digits: `840`. */
  id: string
  /** ISO 3166-1 alpha-2. */
  code: string
  /** ISO 3166-1 alpha-3. */
  iso: string
  label: string
  /** `+` and digits. */
  phonecode: string
}

/**
 * Every country with an ISO number whose telephone code libphonenumber knows: those are the ones whose numbers
 * can be checked. The codes come from libphonenumber, because world-countries has three wrong ones (EH, SH, VA).
 */
export const countries: Country[] = worldCountries
  .filter(country => country.ccn3 && isSupportedCountry(country.cca2))
  .map(country => ({
    id: country.ccn3,
    code: country.cca2,
    iso: country.cca3,
    label: country.name.common,
    phonecode: `+${getCountryCallingCode(country.cca2 as CountryCode)}`,
  }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'))

const byId = new Map(countries.map(country => [country.id, country]))

export const countryById = (id: string): Country | undefined => byId.get(id)
