import { randomUUID } from 'node:crypto'
import { PasswordResetRequested } from '@voxscribe/contracts/events'
import { badResetToken } from '../accounts/problems.ts'
import { hashOf, newSecret } from '../accounts/secrets.ts'
import type { Reset, User, Users } from '../accounts/users.ts'
import { hashPassword } from '../sessions/passwords.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { ResetRequest, ResetRequests } from './reset-requests.ts'

const AT_ONCE = 50

interface RequestDeps extends ResetLinks {
  users: Users
  requests: ResetRequests
}

/** Processes the waiting requests: an account gets its mail, an unknown address gets nothing. Idempotent. */
export async function answerResetRequests(deps: RequestDeps): Promise<void> {
  for (const request of await deps.requests.waiting(AT_ONCE)) {
    const user = await deps.users.byEmail(request.email)
    if (user) await sendToken(deps, user, request)
    await deps.requests.remove(request._id)
  }
}

interface ResetLinks {
  publicUrl: string
  ttlMs: number
  now: () => Date
}

/** Returns a reset for the account to store, and the link in its mail. */
export function newReset({ publicUrl, ttlMs, now }: ResetLinks, id: string = randomUUID()) {
  const token = newSecret()
  const reset: Reset = { id, tokenHash: hashOf(token), expiresAt: new Date(now().getTime() + ttlMs) }
  const resetLink = `${publicUrl}/reset-password?token=${token}`
  return { reset, link: { resetLink, validSeconds: Math.round(ttlMs / 1000) } }
}

async function sendToken(deps: RequestDeps, user: User, request: ResetRequest) {
  const { reset, link } = newReset(deps, request._id)
  const { _id: userId, email, firstName } = user
  const data = { userId, email, firstName, ...link }
  const requested = PasswordResetRequested.create(data, { traceId: request.traceId })
  await deps.users.addReset(user, reset, [requested])
}

/** Sets a new password with the token from the e-mail and ends all sessions. Returns the account. */
export async function resetPassword(
  { users, sessions, now }: { users: Users; sessions: Sessions; now: () => Date },
  token: string,
  newPassword: string,
): Promise<User> {
  const tokenHash = hashOf(token)
  const user = await users.byResetToken(tokenHash, now())
  if (!user) throw badResetToken()
  const passwordHash = await hashPassword(newPassword)
  // Another request may have used the token while the password was being hashed.
  if (!(await users.resetPassword(user, tokenHash, passwordHash, now()))) throw badResetToken()
  await sessions.endAllOf(user._id)
  return user
}
