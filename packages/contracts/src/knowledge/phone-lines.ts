import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

/**
 * A phone line may have two spellings, because WhatsApp's ids outlive numbering plans. They keep a mobile digit that
 * Mexico has dropped (1), lack the 9 that Brazil has added to mobile numbers, and have the 8 digits from before a
 * two-digit prefix of the operator was added (Ivory Coast 2021: it follows from the second digit; Benin 2024: 01).
 * Brazilian landlines begin with 2 to 5, so they never collide with mobile numbers. Argentina's 9 differs: without it,
 * a number is a landline's.
 */
const SPELLINGS: [long: RegExp, short: RegExp, asLong: string, asShort: string][] = [
  [/^521(?<line>\d{10})$/, /^52(?<line>\d{10})$/, '521$<line>', '52$<line>'],
  [
    /^55(?<area>\d{2})9(?<line>[6-9]\d{7})$/,
    /^55(?<area>\d{2})(?<line>[6-9]\d{7})$/,
    '55$<area>9$<line>',
    '55$<area>$<line>',
  ],
  [/^22501(?<line>[04-9][0-3]\d{6})$/, /^225(?<line>[04-9][0-3]\d{6})$/, '22501$<line>', '225$<line>'],
  [/^22505(?<line>[04-9][4-6]\d{6})$/, /^225(?<line>[04-9][4-6]\d{6})$/, '22505$<line>', '225$<line>'],
  [/^22507(?<line>[04-9][7-9]\d{6})$/, /^225(?<line>[04-9][7-9]\d{6})$/, '22507$<line>', '225$<line>'],
  [/^22901(?<line>\d{8})$/, /^229(?<line>\d{8})$/, '22901$<line>', '229$<line>'],
]

/** Returns all spellings of a line with these E.164 digits (without `+`), the given one first. */
export function spellingsOf(digits: string): string[] {
  for (const [long, short, asLong, asShort] of SPELLINGS) {
    if (long.test(digits)) return [digits, digits.replace(long, asShort)]
    if (short.test(digits)) return [digits, digits.replace(short, asLong)]
  }
  return [digits]
}

/** Returns the spelling that identifies a line, however it was written: the shortest one. */
export const lineOf = (digits: string): string =>
  spellingsOf(digits).reduce((a, b) => (b.length < a.length ? b : a))

/** Returns the country (ISO 3166-1 alpha-2) of E.164 digits without `+`, if they determine it. */
export const countryOfNumber = (digits: string): string | undefined =>
  parsePhoneNumberFromString(`+${digits}`)?.country

/**
 * Formats a number, international or of a country (alpha-2), in groups: `+1 201 555 0123`. `isValid`: the country has
 * numbers of this kind; an invalid number may still be possible.
 */
export function readNumber(text: string, country?: string): { written: string; isValid: boolean } {
  const number = parsePhoneNumberFromString(text, country as CountryCode | undefined)
  return { written: number?.formatInternational() ?? text, isValid: number?.isValid() ?? false }
}
