import { PasswordRemoved } from '@voxscribe/contracts/events'
import type { api, CheckedBodyOf } from '@voxscribe/contracts/http'
import { currentTrace, refusal } from '@voxscribe/service'
import { changeAccount } from '../accounts/account.ts'
import { beginGeneration } from '../accounts/generations.ts'
import { changeAsRead, type User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** Asks a signed-in person for their password: a stolen session is not enough. Throws 403 for a wrong one, 429 for many. */
export async function provePassword({ limits }: Deps, user: User, password: string): Promise<void> {
  // Counted before it is checked, so that many tries at once cannot slip through.
  await limits.password.count(user._id)
  if (!(await isPassword(password, user.passwordHash))) throw refusal('invalid_password')
  await limits.password.forget(user._id)
}

/** Removes the password of a person who has a passkey. The mail of a forgotten password still sets a new one. */
export async function removePassword(
  deps: Deps,
  caller: () => Promise<User>,
  password: string,
): Promise<void> {
  await provePassword(deps, await caller(), password)
  await changeAsRead(caller, async user => {
    if (!(await deps.passkeys.all(user)).length) throw refusal('no_other_way')
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
