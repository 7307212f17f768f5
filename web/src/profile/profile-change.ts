import type { User } from '@voxscribe/contracts/http'

const FIELDS = ['first_name', 'last_name', 'email', 'wtp_number', 'country_code', 'wa_language'] as const
export type ProfileField = (typeof FIELDS)[number]
export type ProfileValues = Record<ProfileField, string>

/** The fields of a user that the form shows. */
export const valuesOf = (user: User): ProfileValues => ({
  first_name: user.first_name ?? '',
  last_name: user.last_name ?? '',
  email: user.email ?? '',
  wtp_number: user.wtp_number ?? '',
  country_code: user.country_code ?? '',
  wa_language: user.wa_language ?? '',
})

/** Returns the fields to send: trimmed, not empty, and different from what is saved. */
export function changesIn(saved: ProfileValues, typed: ProfileValues): Partial<ProfileValues> {
  const changed = FIELDS.map(field => [field, typed[field].trim()] as const).filter(
    ([field, value]) => value !== '' && value !== saved[field],
  )
  return Object.fromEntries(changed)
}
