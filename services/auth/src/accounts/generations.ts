import { type Envelope, PasswordChanged } from '@voxscribe/contracts/events'
import { currentTrace } from '@voxscribe/service'
import type { Deps } from '../deps.ts'
import { changeAccount, newCode, unlinked } from './account.ts'
import { changeAsRead, type User, type UserChange } from './users.ts'

/** `password`: changed or reset. `undo`: a change of the account was undone. `sign-out`: on all devices. */
type Cause = 'password' | 'undo' | 'sign-out'

/**
 * Returns the change for a mailed link that opened the account without its password. Anyone can sign up with any
 * address, so before its mailbox is proved, everything in the account may be a stranger's: the first proof also unlinks
 * all senders, whose number is then only claimed, and ends the links that would restore them. Exception: a browser that
 * has signed in to the account is its person's.
 */
export function proofOfMailbox({ devices }: Pick<Deps, 'devices'>, user: User, cookies?: string): UserChange {
  const proof = { mailbox: user.email, provedEmail: user.email }
  const isFirst = user.mailbox !== user.email && !devices.known(user, cookies)
  return isFirst ? { ...proof, ...unlinked(), formerNumbers: [] } : proof
}

/**
 * Changes an account and begins its next generation in one write. All sessions, connections, access tokens and streams
 * end, as do mailed links for the provider, and the link code changes. Except for a sign-out, keys, passkeys, identities,
 * hooks and share links end as well, and the owner gets a mail. `read` may throw. `changeFor` returns further changes; it
 * is called again after each concurrent change. Returns the changed account.
 */
export async function beginGeneration(
  { users, sessions, oauth, passes }: Pick<Deps, 'users' | 'sessions' | 'oauth' | 'passes'>,
  cause: Cause,
  read: () => Promise<User>,
  changeFor: (user: User) => { change: UserChange; events?: Envelope[] } = () => ({ change: {} }),
): Promise<User> {
  const after = await changeAsRead(read, user => {
    const generation = user.generation + 1
    const { change, events = [] } = changeFor(user)
    const { _id: userId, firstName } = user
    const email = change.email ?? user.email
    const data = {
      ...{ userId, email, firstName },
      ...(cause === 'undo' && { undone: true }),
      ...(change.linked === false && { unlinked: true }),
    }
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
  await passes.endAllOf({ userId: after._id })
  return after
}
