import { randomUUID } from 'node:crypto'
import { PasswordResetRequested } from '@voxscribe/contracts/events'
import { hashOf, newSecret } from '@voxscribe/service'
import { masked } from '../accounts/account.ts'
import { openFormerEmails } from '../accounts/former-emails.ts'
import { beginGeneration, proofOfMailbox } from '../accounts/generations.ts'
import type { Reset, User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import { hashPassword } from '../sessions/passwords.ts'
import type { ResetRequest } from './reset-requests.ts'

const AT_ONCE = 50

/** Processes the waiting requests: mails an account, and ignores an unknown address. Idempotent. */
export async function answerResetRequests(deps: Deps): Promise<void> {
  for (const request of await deps.requests.waiting(AT_ONCE)) {
    const user = await deps.users.byEmail(request.email)
    if (user) await sendToken(deps, user, request)
    await deps.requests.remove(request._id)
  }
}

/** Returns a reset for the account to store, and the link to mail. */
export function newReset({ publicUrl, resetTtlMs }: Deps, id: string = randomUUID()) {
  const token = newSecret()
  const reset: Reset = { id, tokenHash: hashOf(token), expiresAt: new Date(Date.now() + resetTtlMs) }
  const resetLink = `${publicUrl}/reset-password?token=${token}`
  return { reset, link: { resetLink, validSeconds: Math.round(resetTtlMs / 1000) } }
}

async function sendToken(deps: Deps, user: User, request: ResetRequest) {
  const { reset, link } = newReset(deps, request._id)
  const { _id: userId, email, firstName } = user
  const former = openFormerEmails(user, new Date()).findLast(each => each.email !== email)
  const undo = former && { formerEmail: masked(former.email), undoUntil: former.until.toISOString() }
  const data = { userId, email, firstName, ...link, ...undo }
  const requested = PasswordResetRequested.create(data, { traceId: request.traceId })
  await deps.users.addReset(user, reset, [requested])
}

/** Sets a new password with the mailed token, which begins a generation. Returns the account. */
export async function resetPassword(
  deps: Deps,
  token: string,
  newPassword: string,
  cookies?: string,
): Promise<User> {
  const tokenHash = hashOf(token)
  const withToken = () => deps.users.byResetToken(tokenHash)
  await withToken()
  const passwordHash = await hashPassword(newPassword)
  // A concurrent request may have used the token. The undo links for the current address end, because they would
  // restore the old password.
  return beginGeneration(deps, 'password', withToken, user => ({
    change: {
      passwordHash,
      ...proofOfMailbox(deps, user, cookies),
      formerEmails: user.formerEmails.filter(former => former.email !== user.email),
    },
  }))
}
