import { countries, countryById } from '@voxscribe/contracts/countries'
import type { CountryItem } from '@voxscribe/contracts/http'
import { spellingsOf } from '@voxscribe/contracts/phone-lines'
import { invalidField } from '@voxscribe/service'
import { type CountryCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js'

/** A WhatsApp number as stored in an account. */
interface AccountNumber {
  /** The country of its calling code. */
  countryId: string
  /** Digits without the calling code, and without a trunk 0 that isn't part of the number. */
  national: string
  /** E.164 digits without `+`. */
  phone: string
}

/** Reads a number with (`+`, `00`) or without its country's code. Throws 400 on `wtp_number` if it's impossible. */
export function readTypedNumber(typed: string, country: CountryItem): AccountNumber {
  const number = parsePhoneNumberFromString(typed.trim().replace(/^00/, '+'), country.code as CountryCode)
  const possible = number && asWhatsAppMayWrite(number).find(candidate => candidate.isPossible())
  const read = possible && accountNumber(possible, country)
  if (!read) throw invalidField('wtp_number', 'impossible_number', { country: country.label })
  return read
}

/** Reads the digits that WhatsApp reports for a sender. Digits that fit no numbering plan stay unchanged. */
export function numberOfSender(digits: string, fallbackCountryId: string): AccountNumber {
  const fallback = countryById(fallbackCountryId)
  for (const candidate of spellingsOf(digits)) {
    const number = parsePhoneNumberFromString(`+${candidate}`)
    const read = number?.isValid() ? accountNumber(number, fallback) : undefined
    if (read) return { ...read, phone: digits }
  }
  return { countryId: fallbackCountryId, national: digits, phone: digits }
}

/** Returns the number in each spelling: WhatsApp shows Mexican numbers with a 1 that the numbering plan lacks. */
const asWhatsAppMayWrite = (number: PhoneNumber): PhoneNumber[] =>
  spellingsOf(number.number.slice(1)).flatMap(digits => parsePhoneNumberFromString(`+${digits}`) ?? [])

/** Countries that share a calling code can't always be told apart by number, so the person's choice decides. */
function accountNumber(number: PhoneNumber, chosen: CountryItem | undefined): AccountNumber | undefined {
  const prefix = `+${number.countryCallingCode}`
  const country =
    chosen?.phonecode === prefix ? chosen : countries.find(candidate => candidate.code === number.country)
  const phone = number.number.slice(1)
  if (!country || !/^\d{7,15}$/.test(phone)) return undefined
  return { countryId: country.id, national: number.nationalNumber, phone }
}
