import type { User } from '@voxscribe/contracts/http'
import { z } from 'zod'

/** The fields of a user that the form shows. */
export const ProfileValues = z.record(
  z.enum(['first_name', 'last_name', 'email', 'wtp_number', 'country_code', 'wa_language']),
  z.string().trim(),
)
export type ProfileValues = z.infer<typeof ProfileValues>

export const valuesOf = (user: User): ProfileValues => ({
  first_name: user.first_name ?? '',
  last_name: user.last_name ?? '',
  email: user.email ?? '',
  wtp_number: user.wtp_number ?? '',
  country_code: user.country_code ?? '',
  wa_language: user.wa_language ?? '',
})

/** Returns the fields to send: not empty, and different from what is saved. */
export const changesIn = (saved: ProfileValues, typed: ProfileValues): Partial<ProfileValues> =>
  Object.fromEntries(
    Object.entries(typed).filter(([field, value]) => value && value !== saved[field as keyof ProfileValues]),
  )
