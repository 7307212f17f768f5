import { EmailChanged, type Envelope, PasswordResetRequested, UserUpdated } from '@voxscribe/contracts/events'
import { currentTrace } from '@voxscribe/service'
import { accountData, changed } from '../accounts/account.ts'
import { badUndoToken, busyAccount, tooManyEmailChanges } from '../accounts/problems.ts'
import type { EmailChange, User, Users } from '../accounts/users.ts'
import { hashOf, newSecret } from '../secrets.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { newReset } from './password-reset.ts'

const UNDO_MS = 7 * 86_400_000
/** Each one blocks an address for others and sends a mail, so their number is limited. */
const CHANGES_OPEN_MAX = 30
const TRIES = 5
const RELEASED_AT_ONCE = 50

export interface UndoLinks {
  publicUrl: string
  now: () => Date
}

/** Prepares the undoing of an e-mail change: what the account stores, and the event for the old address. */
export function undoableChange(
  { publicUrl, now }: UndoLinks,
  user: User,
  newEmail: string,
): { emailChanges: EmailChange[]; event: Envelope } {
  const at = now()
  const open = openChanges(user, at)
  const [oldest] = open
  if (oldest && open.length >= CHANGES_OPEN_MAX) {
    throw tooManyEmailChanges(Math.ceil((oldest.until.getTime() - at.getTime()) / 1000))
  }
  const token = newSecret()
  const change = {
    from: user.email,
    passwordHash: user.passwordHash,
    tokenHash: hashOf(token),
    until: new Date(at.getTime() + UNDO_MS),
  }
  const event = EmailChanged.create(
    {
      userId: user._id,
      oldEmail: user.email,
      newEmail,
      firstName: user.firstName,
      undoLink: `${publicUrl}/undo-email?token=${token}`,
    },
    { traceId: currentTrace() },
  )
  return { emailChanges: [...open, change], event }
}

const openChanges = ({ emailChanges = [] }: User, at: Date): EmailChange[] =>
  emailChanges.filter(change => change.until > at)

interface UndoDeps extends UndoLinks {
  users: Users
  sessions: Sessions
  resetTtlMs: number
}

/**
 * Restores an e-mail address, with the password of that time, and ends every session. Links of later changes become
 * invalid: whoever took the account over may own those mailboxes.
 */
export async function undoEmailChange(deps: UndoDeps, token: string): Promise<void> {
  const tokenHash = hashOf(token)
  for (let tried = 0; tried < TRIES; tried++) {
    const user = await deps.users.byUndoToken(tokenHash, deps.now())
    if (!user) throw badUndoToken()
    if (await bringBack(deps, user, tokenHash)) return deps.sessions.endAllOf(user._id)
  }
  throw busyAccount()
}

async function bringBack(deps: UndoDeps, user: User, tokenHash: string): Promise<boolean> {
  const { emailChanges = [] } = user
  const index = emailChanges.findIndex(change => change.tokenHash === tokenHash)
  const { from: email, passwordHash } = emailChanges[index]!
  const after = changed(user, { email })
  const { reset, resetLink } = newReset({ publicUrl: deps.publicUrl, ttlMs: deps.resetTtlMs, now: deps.now })
  const traceId = currentTrace()
  const { _id: userId, firstName } = user
  return deps.users.undoEmailChange(
    user,
    { email, passwordHash, emailChanges: emailChanges.slice(0, index), resets: [reset] },
    [
      UserUpdated.create(accountData(after), { traceId }),
      PasswordResetRequested.create({ userId, email, firstName, resetLink }, { traceId }),
    ],
  )
}

/** Releases old addresses after their seven days. */
export async function releaseFormerEmails({ users, now }: { users: Users; now: () => Date }): Promise<void> {
  const at = now()
  for (const user of await users.withExpiredChanges(at, RELEASED_AT_ONCE)) {
    await users.keepChanges(user, openChanges(user, at))
  }
}
