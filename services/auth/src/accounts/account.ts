import { randomInt } from 'node:crypto'
import { LINK_CODE_LENGTH, LINK_CODE_LETTERS } from '@voxscribe/contracts/business'
import { countryById } from '@voxscribe/contracts/countries'
import { type Envelope, UserUpdated } from '@voxscribe/contracts/events'
import type { CountryItem, Profile } from '@voxscribe/contracts/http'
import { isLanguage } from '@voxscribe/contracts/languages'
import { timeZoneOfCountry } from '@voxscribe/contracts/time-zones'
import { currentTrace, invalidField } from '@voxscribe/service'
import type { User, UserChange, Users } from './users.ts'

const timeZoneOf = ({ timeZone, countryId }: User): string =>
  timeZone ?? timeZoneOfCountry(countryById(countryId)?.code)

/** Hides most of an address from readers who needn't know it. */
export const masked = (email: string): string => email.replace(/^(.).*(?=@)/, '$1•••')

/** Returns the account as its owner sees it. `retentionDays`: the installation's limit. */
export const profileOf = (user: User, retentionDays: number): Profile => ({
  id: user._id,
  first_name: user.firstName,
  last_name: user.lastName,
  name: `${user.firstName} ${user.lastName}`,
  email: user.email,
  wtp_number: user.national,
  country_code: user.countryId,
  wa_language: user.language,
  ui_language: user.uiLanguage,
  time_zone: timeZoneOf(user),
  late_answers: user.lateAnswers ?? 'mail',
  gist: user.gists ?? 'long',
  keep_audio: user.audio?.keep ?? true,
  retention_days: Math.min(user.audio?.days ?? retentionDays, retentionDays),
  link_code: user.linkCode,
  linked: user.linked,
  ...(isTelegramLinked(user) && { telegram_linked: true }),
  ...(!user.passwordHash && { without_password: true }),
})

/** Applies ingestion's rule for proofs: a proof ends when the number changes, or when its link code is undone. */
const isTelegramLinked = ({ telegram, linkCode, boundBy = linkCode, undoneCodes = [] }: User): boolean =>
  telegram?.boundBy === boundBy && !undoneCodes.includes(telegram.code ?? '')

/** Returns the account as other services receive it. */
export const accountData = (user: User) => ({
  userId: user._id,
  phone: user.phone ?? null,
  phoneClaimedAt: user.numberChosenAt.toISOString(),
  linkCode: user.linkCode,
  boundBy: user.boundBy,
  undoneCodes: user.undoneCodes,
  generation: user.generation,
  passwordGeneration: user.passwordGeneration,
  language: user.language,
  uiLanguage: user.uiLanguage,
  timeZone: timeZoneOf(user),
  country: countryById(user.countryId)?.code,
  lateAnswers: user.lateAnswers,
  blocked: user.blocked === undefined ? undefined : user.blocked !== null,
  gists: user.gists,
  audio: user.audio && { ...user.audio, since: user.audio.since.toISOString() },
  email: user.email,
  provedEmail: user.provedEmail,
  confirmToken: user.confirmToken && `${user._id}.${user.confirmToken}`,
  firstName: user.firstName,
  lastName: user.lastName,
  revision: user.revision,
})

/** Changes an account, with its events, in one write. Returns the changed account; false if it changed in between. */
export async function changeAccount(
  users: Users,
  user: User,
  change: UserChange,
  { cause, events = [] }: { cause?: Envelope; events?: Envelope[] } = {},
): Promise<User | false> {
  const after = changed(user, change)
  const data = accountData(after)
  const updated = cause
    ? UserUpdated.causedBy(cause, data, user._id)
    : UserUpdated.create(data, { traceId: currentTrace() })
  return (await users.change(user, change, [updated, ...events])) && after
}

function changed(user: User, change: UserChange): User {
  const after = { ...user, ...change, revision: user.revision + 1 }
  if (after.phone === null) delete (after as User).phone
  if (after.identities === null) delete (after as User).identities
  return after as User
}

/** Returns the change to a new link code; proved senders stay bound. */
export const newCode = ({ linkCode, boundBy = linkCode }: User): UserChange => ({
  linkCode: newLinkCode(),
  boundBy,
})

/** Returns the change that unlinks all senders; from then on, the account only claims its number. */
export function unlinked() {
  const linkCode = newLinkCode()
  return { linked: false, numberProved: false, linkCode, boundBy: linkCode, numberChosenAt: new Date() }
}

/** Returns a code short enough to type, one of 31^8. */
export const newLinkCode = (): string =>
  `VX-${Array.from({ length: LINK_CODE_LENGTH }, () => LINK_CODE_LETTERS[randomInt(LINK_CODE_LETTERS.length)]).join('')}`

export function knownCountry(id: string, field: 'country_id' | 'country_code'): CountryItem {
  const country = countryById(id)
  if (!country) throw invalidField(field, 'country_unknown')
  return country
}

export function knownLanguage(id: string): string {
  if (!isLanguage(id)) throw invalidField('wa_language', 'language_not_chosen')
  return id
}
