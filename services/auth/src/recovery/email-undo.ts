import { PasswordResetRequested, UserUpdated } from '@voxscribe/contracts/events'
import { currentTrace, hashOf } from '@voxscribe/service'
import { accountData, changed } from '../accounts/account.ts'
import { openFormerEmails, takeBackEmail } from '../accounts/former-emails.ts'
import { badUndoToken } from '../accounts/problems.ts'
import { changeAsRead, type User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import { newReset } from './password-reset.ts'

const RELEASED_AT_ONCE = 50

/**
 * Restores an e-mail address, with the password of that time, and ends every session. Links of later changes become
 * invalid: an attacker may own those mailboxes.
 */
export async function undoEmailChange(deps: Deps, token: string): Promise<void> {
  const tokenHash = hashOf(token)
  const withLink = async () => {
    const user = await deps.users.byUndoToken(tokenHash)
    if (!user) throw badUndoToken()
    return user
  }
  const { _id } = await changeAsRead(withLink, async user => (await bringBack(deps, user, tokenHash)) && user)
  await deps.sessions.endAllOf(_id)
}

async function bringBack(deps: Deps, user: User, tokenHash: string): Promise<boolean> {
  const { reset, link } = newReset(deps)
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
export async function releaseFormerEmails({ users }: Deps): Promise<void> {
  const at = new Date()
  for (const user of await users.withExpiredEmails(at, RELEASED_AT_ONCE)) {
    await users.change(user, { formerEmails: openFormerEmails(user, at) }, [])
  }
}
