import type { Deps } from '../deps.ts'
import { changeAccount } from './account.ts'
import { changeAsRead, type User } from './users.ts'

/**
 * Blocks an account for a reason, or with null lifts the block. Its sessions end and its keys are refused meanwhile; its
 * data stay. Idempotent.
 */
export async function setBlocked(
  { users, sessions }: Pick<Deps, 'users' | 'sessions'>,
  read: () => Promise<User>,
  reason: string | null,
): Promise<User> {
  const after = await changeAsRead(read, async user => {
    if (Boolean(user.blocked) === (reason !== null)) return user
    const blocked = reason === null ? null : { at: new Date(), reason }
    return changeAccount(users, user, { blocked })
  })
  if (after.blocked) await sessions.endAllOf(after._id)
  return after
}
