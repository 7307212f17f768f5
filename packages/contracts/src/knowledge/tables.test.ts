import { getCountries } from 'libphonenumber-js'
import { api } from '../wire/http.ts'
import { countries, countryById } from './countries.ts'
import { isLanguage, languageIdOf, languageLabel, languages } from './languages.ts'

describe('countries', () => {
  test('when a country is looked up, then it has its ISO codes and the code one dials', () => {
    expect(countryById('840')).toEqual({
      id: '840',
      code: 'US',
      iso: 'USA',
      label: 'United States',
      phonecode: '+1',
    })
    // Published tables often have these three wrong.
    expect(countryById('336')?.phonecode).toBe('+39')
    expect(countryById('732')?.phonecode).toBe('+212')
    expect(countryById('654')?.phonecode).toBe('+290')
    expect(countryById('388')?.phonecode).toBe('+1')
    expect(countryById('999')).toBeUndefined()
  })

  test('when countries are listed, then each has a telephone code and an ISO number, by name', () => {
    const codes = new Set<string>(countries.map(({ code }) => code))
    expect(countries).toHaveLength(242)
    // Ascension, Tristan da Cunha and Kosovo have no ISO number.
    expect(getCountries().filter(code => !codes.has(code))).toEqual(['AC', 'TA', 'XK'])
    expect(new Set(countries.map(({ id }) => id)).size).toBe(countries.length)
    expect(new Set(countries.map(({ iso }) => iso)).size).toBe(countries.length)
    expect(countries.map(({ label }) => label)).toEqual(
      countries.map(({ label }) => label).sort((a, b) => a.localeCompare(b, 'en')),
    )
    for (const { id, code, iso, label, phonecode } of countries) {
      expect(`${id} ${code} ${iso} ${phonecode}`).toMatch(/^\d{3} [A-Z]{2} [A-Z]{3} \+\d{1,4}$/)
      expect(label).toMatch(/^\p{Lu}/u)
    }
  })
})

describe('languages', () => {
  test('when they are listed, then auto-detect comes first and there are Whisper’s hundred', () => {
    expect(languages[0]).toEqual({ id: 'auto', label: 'Auto-detect' })
    expect(languages).toHaveLength(101)
    expect(new Set(languages.map(({ id }) => id)).size).toBe(101)
  })

  test('when an engine names a language, then its id is found', () => {
    expect(languageIdOf('english')).toBe('en')
    expect(languageIdOf('haitian creole')).toBe('ht')
    expect(languageIdOf('pt')).toBe('pt')
    expect(languageIdOf('klingon')).toBeUndefined()
    expect(languageLabel('cy')).toBe('Welsh')
    expect(isLanguage('xx')).toBe(false)
  })
})

describe('calls', () => {
  test('when two calls share a path, then they differ in method', () => {
    const all = Object.values(api)
    expect(new Set(all.map(({ method, path }) => `${method} ${path}`)).size).toBe(all.length)
  })
})
