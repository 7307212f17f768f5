import { countryById } from '@voxscribe/contracts/countries'
import type { api, CheckedBodyOf, CountryItem } from '@voxscribe/contracts/http'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { invalidField, isSame } from '@voxscribe/service'
import type { Deps } from '../deps.ts'
import { changeAccount, knownCountry, knownLanguage, unlinked } from './account.ts'
import { leaveEmail } from './former-emails.ts'
import { leaveNumber } from './former-numbers.ts'
import { readTypedNumber } from './phone.ts'
import { changeAsRead, type User, type UserChange } from './users.ts'

type ProfileBody = CheckedBodyOf<typeof api.updateProfile>

/** Changes the fields in the body. `caller` reads the account, and throws once its session has ended. */
export const changeProfile = (
  { users, publicUrl, retentionDays }: Pick<Deps, 'users' | 'publicUrl' | 'retentionDays'>,
  caller: () => Promise<User>,
  body: ProfileBody,
): Promise<User> =>
  changeAsRead(caller, async user => {
    if ((body.retention_days ?? 0) > retentionDays)
      throw invalidField('retention_days', 'retention_days_beyond', { max: retentionDays })
    const change = profileChange(user, body)
    if (!change) return user
    const { email = user.email } = change
    const left = email === user.email ? undefined : leaveEmail(publicUrl, user, email)
    const number =
      user.linked && change.linked === false ? leaveNumber(publicUrl, user, change.phone!) : undefined
    const events = [...(left?.events ?? []), ...(number?.events ?? [])]
    return changeAccount(users, user, { ...change, ...left?.change, ...number?.change }, { events })
  })

/** Returns the fields that differ from the account, or undefined if none do. A new number must be verified again. */
function profileChange(user: User, body: ProfileBody): UserChange | undefined {
  const wanted: UserChange = {
    email: body.email ?? user.email,
    firstName: body.first_name ?? user.firstName,
    lastName: body.last_name ?? user.lastName,
    language: body.wa_language === undefined ? user.language : knownLanguage(body.wa_language),
    ...(body.time_zone && { timeZone: body.time_zone }),
    ...(body.late_answers && { lateAnswers: body.late_answers }),
    ...(body.gist && { gists: body.gist }),
    ...languageChange(user, body),
    ...audioChange(user, body),
    ...numberChange(user, body),
  }
  const differs = Object.entries(wanted).some(([name, value]) => user[name as keyof User] !== value)
  return differs ? wanted : undefined
}

const languageChange = ({ uiLanguage }: User, body: ProfileBody): UserChange =>
  body.ui_language === undefined || body.ui_language === uiLanguage
    ? {}
    : { uiLanguage: body.ui_language, uiLanguageChosenAt: new Date() }

function audioChange({ audio }: User, body: ProfileBody): UserChange {
  const keep = body.keep_audio ?? audio?.keep ?? true
  const days = body.retention_days ?? audio?.days
  if (body.apply_to_existing) return { audio: { keep, days, since: new Date(0) } }
  return keep === (audio?.keep ?? true) && days === audio?.days
    ? {}
    : { audio: { keep, days, since: new Date() } }
}

function numberChange(user: User, body: ProfileBody): UserChange {
  if (body.country_code === undefined && body.wtp_number === undefined) return {}
  const country = body.country_code ? knownCountry(body.country_code, 'country_code') : countryOf(user)
  const typed = body.wtp_number ?? user.national
  if (!typed) return { countryId: country.id }
  const { phone, ...number } = readTypedNumber(typed, country)
  // The line is the same, so the stored `phone` stays, which may be in WhatsApp's spelling.
  if (user.phone !== undefined && lineOf(phone) === lineOf(user.phone)) return number
  return { ...number, phone, ...unlinked() }
}

const countryOf = (user: User): CountryItem => countryById(user.countryId) ?? knownCountry('', 'country_code')

/** Marks the current address as proved by its mailed link. Idempotent. Throws 400 for a link to another address. */
export async function confirmEmail({ users, devices }: Deps, token: string, cookies?: string): Promise<void> {
  const [userId = '', secret = ''] = token.split('.')
  const withToken = async () => {
    const user = await users.byId(userId)
    if (!user?.confirmToken || !isSame(secret, user.confirmToken)) throw invalidField('token', 'link_expired')
    return user
  }
  await changeAsRead(withToken, async user => {
    if (user.provedEmail === user.email) return user
    const isKnown = devices.known(user, cookies)
    return changeAccount(users, user, { provedEmail: user.email, ...(isKnown && { mailbox: user.email }) })
  })
}
