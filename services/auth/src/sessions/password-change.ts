import { PasswordRemoved } from '@voxscribe/contracts/events'
import type { api, CheckedBodyOf } from '@voxscribe/contracts/http'
import { currentTrace, invalidField, refusal } from '@voxscribe/service'
import { changeAccount } from '../accounts/account.ts'
import { beginGeneration } from '../accounts/generations.ts'
import { changeAsRead, type User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from './caller.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** A session that was left open is mostly older. */
const FRESH_MS = 600_000

/** Asks a signed-in person for their password: a stolen session is not enough. Throws 403 for a wrong one, 429 for many. */
async function provePassword({ limits }: Deps, user: User, password: string): Promise<void> {
  // Counted before it is checked, so that many tries at once cannot slip through.
  await limits.password.count(user._id)
  if (!(await isPassword(password, user.passwordHash))) throw refusal('invalid_password')
  await limits.password.forget(user._id)
}

/** Throws 403 where people sign in by the provider only. */
export function refusePasswords({ oidcOnly }: Deps): void {
  if (oidcOnly) throw refusal('oidc_only')
}

/** Asks a signed-in person for their password, or, where there are none, for a session of the last minutes. */
export async function proveSelf(
  deps: Deps,
  user: User,
  { claims }: Caller,
  password?: string,
): Promise<void> {
  if (!deps.oidcOnly) {
    if (!password) throw invalidField('password', 'password_missing')
    await provePassword(deps, user, password)
  } else if (!(await deps.sessions.isFresh(claims.sessionId ?? '', user._id, FRESH_MS)))
    throw refusal('sign_in_again')
}

/** Removes the password of a person who has a passkey or signs in by the provider. The mail of a forgotten password still sets a new one. */
export async function removePassword(
  deps: Deps,
  caller: () => Promise<User>,
  password: string,
): Promise<void> {
  await provePassword(deps, await caller(), password)
  await changeAsRead(caller, async user => {
    if (!user.identities && !(await deps.passkeys.all(user)).length) throw refusal('no_other_way')
    const removed = PasswordRemoved.create({ userId: user._id }, { traceId: currentTrace() })
    return changeAccount(deps.users, user, { passwordHash: '' }, { events: [removed] })
  })
}

/** Sets a new password, which begins a generation. Returns the account, for a new session of the caller. */
export async function changePassword(
  deps: Deps,
  caller: () => Promise<User>,
  { password, newPassword }: CheckedBodyOf<typeof api.changePassword>,
): Promise<User> {
  const user = await caller()
  await deps.limits.changePassword.count(user._id)
  await provePassword(deps, user, password)
  const passwordHash = await hashPassword(newPassword)
  return beginGeneration(deps, 'password', caller, () => ({ change: { passwordHash } }))
}
