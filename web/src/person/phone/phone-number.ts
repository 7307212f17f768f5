import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { CountryItem } from '@voxscribe/contracts/http'
import { PHONE_DIGITS_MAX } from '@voxscribe/contracts/limits'
import { directionOf } from '@voxscribe/languages'
import { i18n } from '../../language/i18n.ts'

/** Isolates a number or address in a text that may run right to left, where `+49` would appear as `49+`. */
export const leftToRight = (number: string) =>
  directionOf(i18n) === 'rtl' ? `\u2066${number}\u2069` : number

const digitsOf = (text: string) => text.replace(/\D/g, '')

const DIGIT = /\p{Nd}/u

/** Converts Arabic, Hindi and other digits to 0 to 9, and removes the direction marks of a copied number. */
const plain = (text: string) =>
  text.replace(/\p{Cf}/gu, '').replace(/\p{Nd}/gu, digit => {
    const point = digit.codePointAt(0) ?? 0
    let zero = point
    while (DIGIT.test(String.fromCodePoint(zero - 1))) zero--
    return String((point - zero) % 10)
  })

/** The largest of the countries that share a phone code, by alpha-2. */
export const LARGEST_OF_ITS_CODE = ['US', 'GB', 'RU', 'IT', 'AU', 'NO', 'FI', 'MA', 'FR', 'NZ']

/** Returns the country of a number. If several share the code: the chosen one, else the largest, else the first. */
function countryOf(digits: string, countries: CountryItem[], chosen: string): CountryItem | undefined {
  const matching = countries.filter(country => digits.startsWith(digitsOf(country.phonecode)))
  const longest = Math.max(...matching.map(country => digitsOf(country.phonecode).length))
  const nearest = matching.filter(country => digitsOf(country.phonecode).length === longest)
  return (
    nearest.find(country => country.id === chosen) ??
    nearest.find(country => LARGEST_OF_ITS_CODE.includes(country.code)) ??
    nearest[0]
  )
}

/** Reads typed or pasted digits, at most 15. After `+` or `00`, strips the country code and returns its country. */
export function readPhone(
  typed: string,
  countries: CountryItem[],
  chosen: string,
): { digits: string; countryId: string } {
  const text = plain(typed)
  const international = /^\s*(\+|00)/.exec(text)
  const all = digitsOf(international ? text.slice(international[0].length) : text)
  const country = international && all.length > 4 ? countryOf(all, countries, chosen) : undefined
  if (!country) return { digits: digitsOf(text).slice(0, PHONE_DIGITS_MAX), countryId: chosen }
  // `+44 (0)20 …`: the zero in parentheses is only dialed inside the country.
  const national = digitsOf(text.replace(/\(0\)/, '').slice(international?.[0].length ?? 0))
  const digits = national.slice(digitsOf(country.phonecode).length)
  return { digits: digits.slice(0, PHONE_DIGITS_MAX), countryId: country.id }
}

const numberQuery = (text: string, country?: string) =>
  queryOptions({
    queryKey: ['number', text, country],
    queryFn: async () => (await import('@voxscribe/contracts/phone-lines')).readNumber(text, country),
    staleTime: Number.POSITIVE_INFINITY,
  })

export function useReadNumber() {
  const queries = useQueryClient()
  return (text: string, country?: string) => queries.fetchQuery(numberQuery(text, country))
}

/** Returns a number in its usual format, and whether its country (alpha-2) has it. The first call loads the rules. */
export function useNumber(text: string, country?: string) {
  const { data } = useQuery({ ...numberQuery(text, country), enabled: text !== '' })
  return data ?? { written: text, isValid: true }
}

/** Returns an Argentine number as a mobile one if it lacks the 9 of those: without it, it's someone's landline. */
export function useArgentineMobile(typed: string, country?: string) {
  const national = typed.replace(/^0/, '')
  const isWithout = country === 'AR' && national.length === 10 && !national.startsWith('9')
  const digits = isWithout ? `9${national}` : ''
  const { written, isValid } = useNumber(digits, country)
  return isWithout && isValid ? { digits, written } : undefined
}
