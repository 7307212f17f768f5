import { type Country, countryById } from '@voxscribe/contracts/countries'
import { UserUpdated } from '@voxscribe/contracts/events'
import type { api, CheckedBodyOf } from '@voxscribe/contracts/http'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { currentTrace, unauthorized } from '@voxscribe/service'
import { accountData, changed, knownCountry, knownLanguage, newLinkCode } from './account.ts'
import { leaveEmail, type UndoLinks } from './former-emails.ts'
import { readNumber } from './phone.ts'
import { busyAccount } from './problems.ts'
import type { User, UserChange, Users } from './users.ts'

type ProfileBody = CheckedBodyOf<typeof api.updateProfile>

const TRIES = 5

/** Changes the fields in the body. After a simultaneous change by others it reads the account and tries again. */
export async function changeProfile(
  deps: UndoLinks & { users: Users },
  caller: User,
  body: ProfileBody,
): Promise<User> {
  let user = caller
  for (let tried = 0; tried < TRIES; tried++) {
    const change = profileChange(user, body, deps.now())
    if (!change) return user
    const after = changed(user, change)
    const updated = UserUpdated.create(accountData(after), { traceId: currentTrace() })
    const left = after.email === user.email ? undefined : leaveEmail(deps, user, after.email)
    const events = [updated, ...(left?.events ?? [])]
    if (await deps.users.change(user, { ...change, ...left?.change }, events)) return after
    const read = await deps.users.byId(user._id)
    if (read?.generation !== user.generation) throw unauthorized()
    user = read
  }
  throw busyAccount()
}

/** Returns what differs from the account; undefined when nothing does. A new number must be verified again. */
function profileChange(user: User, body: ProfileBody, now: Date): UserChange | undefined {
  const wanted: UserChange = {
    email: body.email ?? user.email,
    firstName: body.first_name ?? user.firstName,
    lastName: body.last_name ?? user.lastName,
    language: body.wa_language === undefined ? user.language : knownLanguage(body.wa_language),
    ...numberChange(user, body, now),
  }
  const differs = Object.entries(wanted).some(([name, value]) => user[name as keyof User] !== value)
  return differs ? wanted : undefined
}

function numberChange(user: User, body: ProfileBody, now: Date): UserChange {
  if (body.country_code === undefined && body.wtp_number === undefined) return {}
  const country = body.country_code ? knownCountry(body.country_code, 'country_code') : countryOf(user)
  const typed = body.wtp_number ?? user.national
  if (!typed) return { countryId: country.id }
  const { phone, ...number } = readNumber(typed, country)
  // The same line: as WhatsApp writes it, if it came from there.
  if (user.phone !== undefined && lineOf(phone) === lineOf(user.phone)) return number
  return {
    ...number,
    phone,
    linked: false,
    numberProved: false,
    linkCode: newLinkCode(),
    numberChosenAt: now,
  }
}

const countryOf = (user: User): Country => countryById(user.countryId) ?? knownCountry('', 'country_code')
