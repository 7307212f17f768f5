import { PasswordRemoved } from '@voxscribe/contracts/events'
import type { api, CheckedBodyOf } from '@voxscribe/contracts/http'
import { currentTrace, invalidField, refusal } from '@voxscribe/service'
import { changeAccount } from '../accounts/account.ts'
import { beginGeneration } from '../accounts/generations.ts'
import { changeAsRead, type User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from './caller.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** A session that was left open is usually older. */
const FRESH_MS = 600_000

/** Checks a signed-in person's password; a stolen session isn't enough. Throws 403 if wrong, 429 after many tries. */
async function provePassword({ limits }: Deps, user: User, password: string): Promise<void> {
  // Counted before the check, so that parallel tries can't exceed the limit.
  await limits.password.count(user._id)
  if (!(await isPassword(password, user.passwordHash))) throw refusal('invalid_password')
  await limits.password.forget(user._id)
}

/** Throws 403 if people can sign in only through the provider. */
export function refusePasswords({ oidcOnly }: Deps): void {
  if (oidcOnly) throw refusal('oidc_only')
}

/** Requires the person's password or, where there are no passwords, a session younger than ten minutes. */
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

/** Removes the password of a person with a passkey or a provider sign-in. A password reset mail can still set one. */
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

/** Sets a new password, which begins a generation. Returns the account, for the caller's new session. */
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
