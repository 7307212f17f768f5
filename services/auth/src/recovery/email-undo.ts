import { PasswordResetRequested, UserUpdated } from '@voxscribe/contracts/events'
import { currentTrace } from '@voxscribe/service'
import { accountData, changed } from '../accounts/account.ts'
import { openFormerEmails, takeBackEmail, type UndoLinks } from '../accounts/former-emails.ts'
import { badUndoToken, busyAccount } from '../accounts/problems.ts'
import { hashOf } from '../accounts/secrets.ts'
import type { User, Users } from '../accounts/users.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { newReset } from './password-reset.ts'

const TRIES = 5
const RELEASED_AT_ONCE = 50

interface UndoDeps extends UndoLinks {
  users: Users
  sessions: Sessions
  resetTtlMs: number
}

/**
 * Restores an e-mail address, with the password of that time, and ends every session. Links of later changes become
 * invalid: an attacker may own those mailboxes.
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
  const { reset, link } = newReset({ publicUrl: deps.publicUrl, ttlMs: deps.resetTtlMs, now: deps.now })
  const change = {
    ...takeBackEmail(user, tokenHash),
    generation: user.generation + 1,
    resets: [reset],
  }
  const traceId = currentTrace()
  const { _id: userId, firstName } = user
  const { email } = change
  return deps.users.change(user, change, [
    UserUpdated.create(accountData(changed(user, change)), { traceId }),
    PasswordResetRequested.create({ userId, email, firstName, ...link }, { traceId }),
  ])
}

/** Releases old addresses after their seven days. */
export async function releaseFormerEmails({ users, now }: { users: Users; now: () => Date }): Promise<void> {
  const at = now()
  for (const user of await users.withExpiredEmails(at, RELEASED_AT_ONCE)) {
    await users.change(user, { formerEmails: openFormerEmails(user, at) }, [])
  }
}
