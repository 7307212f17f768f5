import { randomUUID } from 'node:crypto'
import { DEFAULT_LANGUAGE } from '@voxscribe/contracts/business'
import { UserRegistered } from '@voxscribe/contracts/events'
import type { api, CheckedBodyOf } from '@voxscribe/contracts/http'
import { timeZoneOfCountry } from '@voxscribe/contracts/time-zones'
import type { UiLanguage } from '@voxscribe/languages'
import { currentTrace, refusal } from '@voxscribe/service'
import { accountData, knownCountry, newLinkCode } from '../accounts/account.ts'
import { readTypedNumber } from '../accounts/phone.ts'
import type { User, Users } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import { hashPassword } from './passwords.ts'

/**
 * Opens an account, if `SIGN_UP` lets this person. Of several simultaneous sign-ups with one e-mail address or number,
 * the database admits one.
 */
export async function signUp(
  deps: Deps,
  body: CheckedBodyOf<typeof api.register>,
  uiLanguage: UiLanguage,
): Promise<User> {
  const { signUp: rule, users, invitations } = deps
  if (rule === 'closed') throw refusal('sign_up_closed')
  const invite = rule === 'invited' ? body.invite : undefined
  if (rule === 'invited' && !invite) throw refusal('sign_up_invited')
  if (invite) await invitations.check(invite, body.email)
  const country = knownCountry(body.country_id, 'country_id')
  const number = readTypedNumber(body.wtp_number, country)
  const createdAt = new Date()
  const user: User = {
    _id: randomUUID(),
    email: body.email,
    provedEmail: body.email,
    formerEmails: [],
    firstName: body.first_name,
    lastName: body.last_name,
    ...number,
    numberChosenAt: createdAt,
    language: DEFAULT_LANGUAGE,
    uiLanguage,
    timeZone: timeZoneOfCountry(country.code),
    linkCode: newLinkCode(),
    linked: false,
    numberProved: false,
    revision: 0,
    passwordHash: await hashPassword(body.password),
    generation: 0,
    passwordGeneration: 0,
    createdAt,
  }
  const saved = await save(users, user)
  if (invite) await invitations.endTo(body.email)
  return saved
}

async function save(users: Users, user: User): Promise<User> {
  const registered = UserRegistered.create(
    { ...accountData(user), registeredAt: user.createdAt.toISOString() },
    { traceId: currentTrace() },
  )
  if (await users.register(user, [registered])) return user
  return save(users, { ...user, linkCode: newLinkCode() })
}
