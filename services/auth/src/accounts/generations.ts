import { type Envelope, PasswordChanged } from '@voxscribe/contracts/events'
import { currentTrace } from '@voxscribe/service'
import type { Deps } from '../deps.ts'
import { changeAccount, newCode } from './account.ts'
import { changeAsRead, type User, type UserChange } from './users.ts'

/** `password`: changed or reset. `undo`: a change of the account was undone. `sign-out`: on all devices. */
type Cause = 'password' | 'undo' | 'sign-out'

/**
 * Changes an account and begins its next generation in one write. All sessions, connections, access tokens and streams
 * end, and the link code changes. Except for a sign-out, keys, passkeys, identities, hooks and share links end as well,
 * and the owner gets a mail. `read` may throw. `changeFor` returns further changes; it is called again after each
 * concurrent change. Returns the changed account.
 */
export async function beginGeneration(
  { users, sessions, oauth }: Pick<Deps, 'users' | 'sessions' | 'oauth'>,
  cause: Cause,
  read: () => Promise<User>,
  changeFor: (user: User) => { change: UserChange; events?: Envelope[] } = () => ({ change: {} }),
): Promise<User> {
  const after = await changeAsRead(read, user => {
    const generation = user.generation + 1
    const { change, events = [] } = changeFor(user)
    const { _id: userId, firstName } = user
    const email = change.email ?? user.email
    const data = { userId, email, firstName, ...(cause === 'undo' && { undone: true }) }
    const ends = cause === 'sign-out' ? {} : { passwordGeneration: generation, resets: [], identities: null }
    return changeAccount(
      users,
      user,
      { ...newCode(user), ...ends, ...change, generation },
      {
        events: [
          ...(cause === 'sign-out' ? [] : [PasswordChanged.create(data, { traceId: currentTrace() })]),
          ...events,
        ],
      },
    )
  })
  await sessions.endAllOf(after._id)
  await oauth.endAllOf(after._id)
  return after
}
