import { randomUUID } from 'node:crypto'
import { DEFAULT_LANGUAGE } from '@voxscribe/contracts/business'
import { UserRegistered } from '@voxscribe/contracts/events'
import type { api, CheckedBodyOf } from '@voxscribe/contracts/http'
import { timeZoneOfCountry } from '@voxscribe/contracts/time-zones'
import type { UiLanguage } from '@voxscribe/languages'
import { currentTrace, invalidField, refusal } from '@voxscribe/service'
import { accountData, knownCountry, newLinkCode } from '../accounts/account.ts'
import { readTypedNumber } from '../accounts/phone.ts'
import type { User, Users } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import { hashPassword } from './passwords.ts'

/**
 * Opens an account, if `SIGN_UP` allows it. Of several simultaneous sign-ups with the same e-mail address or number,
 * the database admits one.
 */
export async function signUp(
  deps: Deps,
  body: CheckedBodyOf<typeof api.register>,
  uiLanguage: UiLanguage,
): Promise<User> {
  const { users, passes } = deps
  const ticket = body.ticket === undefined ? undefined : await passes.identified('ticket', body.ticket)
  if (!ticket && deps.oidcOnly) throw refusal('oidc_only')
  const email = ticket?.email ?? body.email
  if (!email) throw invalidField('email', 'email_missing')
  const isVerified = email === ticket?.email
  await checkRule(deps, email, body.invite, isVerified)
  const country = knownCountry(body.country_id, 'country_id')
  const number = readTypedNumber(body.wtp_number, country)
  const createdAt = new Date()
  const user: User = {
    _id: randomUUID(),
    email,
    provedEmail: email,
    // The invitation was mailed to the address.
    ...((isVerified || deps.signUp === 'invited') && { mailbox: email }),
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
    ...(ticket
      ? { passwordHash: '', identities: [ticket.identity] }
      : { passwordHash: await hashPassword(body.password ?? '') }),
    generation: 0,
    passwordGeneration: 0,
    createdAt,
  }
  const saved = await save(users, user)
  if (deps.signUp === 'invited') await deps.invitations.endTo(email)
  if (ticket) await passes.endAllOf({ identity: ticket.identity })
  return saved
}

/** Throws 403 if `SIGN_UP` doesn't allow it, 400 for an expired invitation or one to another address. */
async function checkRule(deps: Deps, email: string, invite: string | undefined, isVerified: boolean) {
  const { signUp: rule, invitations } = deps
  if (rule === 'closed') throw refusal('sign_up_closed')
  if (rule === 'open' || (isVerified && (await invitations.isInvited(email)))) return
  if (!invite) throw refusal('sign_up_invited')
  await invitations.check(invite, email)
}

async function save(users: Users, user: User): Promise<User> {
  const registered = UserRegistered.create(
    { ...accountData(user), registeredAt: user.createdAt.toISOString() },
    { traceId: currentTrace() },
  )
  if (await users.register(user, [registered])) return user
  return save(users, { ...user, linkCode: newLinkCode() })
}
