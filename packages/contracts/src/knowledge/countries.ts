import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js'
import { COUNTRY_TABLE } from './country-table.ts'

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

/** Every country with an ISO number whose telephone numbers libphonenumber can check, with its telephone codes. */
export const countries: Country[] = COUNTRY_TABLE.trim()
  .split('\n')
  .map(line => {
    const [code = '', iso = '', id = '', ...label] = line.split(' ')
    return {
      id,
      code,
      iso,
      label: label.join(' '),
      phonecode: `+${getCountryCallingCode(code as CountryCode)}`,
    }
  })

const byId = new Map(countries.map(country => [country.id, country]))

export const countryById = (id: string): Country | undefined => byId.get(id)
