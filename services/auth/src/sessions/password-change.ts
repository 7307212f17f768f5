import { PasswordChanged } from '@voxscribe/contracts/events'
import type { api, CheckedBodyOf } from '@voxscribe/contracts/http'
import { currentTrace } from '@voxscribe/service'
import { wrongPassword } from '../accounts/problems.ts'
import { changeAsRead, type User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import { hashPassword, isPassword } from './passwords.ts'

/** Asks a signed-in person for their password: a stolen session is not enough. Throws 403 for a wrong one, 429 for many. */
export async function provePassword({ limits }: Deps, user: User, password: string): Promise<void> {
  // Counted before it is checked, so that many tries at once cannot slip through.
  await limits.password.count(user._id)
  if (!(await isPassword(password, user.passwordHash))) throw wrongPassword()
  await limits.password.forget(user._id)
}

/**
 * Sets a new password. As after a reset, a new generation ends every session and API key in the same write, since someone
 * else may have made them; open reset links end, too. Returns the account, for a new session of the caller.
 */
export async function changePassword(
  deps: Deps,
  caller: () => Promise<User>,
  { password, newPassword }: CheckedBodyOf<typeof api.changePassword>,
): Promise<User> {
  await provePassword(deps, await caller(), password)
  const passwordHash = await hashPassword(newPassword)
  const user = await changeAsRead(caller, async user => {
    const { _id: userId, email, firstName } = user
    const change = { passwordHash, generation: user.generation + 1, resets: [] }
    const event = PasswordChanged.create({ userId, email, firstName }, { traceId: currentTrace() })
    return (await deps.users.change(user, change, [event])) && { ...user, ...change }
  })
  await deps.sessions.endAllOf(user._id)
  return user
}
