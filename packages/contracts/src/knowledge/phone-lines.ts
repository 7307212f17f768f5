import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

/**
 * One telephone line may be written in two ways, as WhatsApp's ids outlive numbering plans: they keep a mobile digit that
 * Mexico has dropped (1), lack the 9 that Brazil has put before its mobile numbers, and have the 8 digits from before the
 * operator's two came in front (Ivory Coast 2021: told by the second digit; Benin 2024: 01). A Brazilian landline begins
 * with 2 to 5, so it never meets a mobile number here. Argentina's 9 is no such digit: without it, it is a landline.
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

/** Returns every way in which the line of these E.164 digits (without `+`) is written, the given one first. */
export function spellingsOf(digits: string): string[] {
  for (const [long, short, asLong, asShort] of SPELLINGS) {
    if (long.test(digits)) return [digits, digits.replace(long, asShort)]
    if (short.test(digits)) return [digits, digits.replace(short, asLong)]
  }
  return [digits]
}

/** Returns the spelling that identifies a line, whichever way it was written: the shortest one. */
export const lineOf = (digits: string): string =>
  spellingsOf(digits).reduce((a, b) => (b.length < a.length ? b : a))

/** Returns the country (ISO 3166-1 alpha-2) of E.164 digits without `+`, if they determine it. */
export const countryOfNumber = (digits: string): string | undefined =>
  parsePhoneNumberFromString(`+${digits}`)?.country

/**
 * Writes a number, international or of a country (alpha-2), in groups: `+1 201 555 0123`. It is valid when the country
 * has numbers of this kind; others may be possible.
 */
export function readNumber(text: string, country?: string): { written: string; isValid: boolean } {
  const number = parsePhoneNumberFromString(text, country as CountryCode | undefined)
  return { written: number?.formatInternational() ?? text, isValid: number?.isValid() ?? false }
}
