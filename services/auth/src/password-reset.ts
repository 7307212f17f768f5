import { PasswordResetRequested } from '@voxscribe/contracts/events'
import { hashPassword } from './passwords.ts'
import { badResetToken } from './problems.ts'
import type { ResetRequest, ResetRequests } from './reset-requests.ts'
import { hashOf, newSecret } from './secrets.ts'
import type { Sessions } from './sessions.ts'
import type { User, Users } from './users.ts'

const AT_ONCE = 50

interface RequestDeps {
  users: Users
  requests: ResetRequests
  publicUrl: string
  ttlMs: number
  now: () => Date
}

/** Looks into the requests that wait: an account gets its mail, an unknown address nothing. Safe to repeat. */
export async function answerResetRequests(deps: RequestDeps): Promise<void> {
  for (const request of await deps.requests.waiting(AT_ONCE)) {
    const user = await deps.users.byEmail(request.email)
    if (user) await sendToken(deps, user, request)
    await deps.requests.remove(request._id)
  }
}

async function sendToken({ users, publicUrl, ttlMs, now }: RequestDeps, user: User, request: ResetRequest) {
  const token = newSecret()
  const requested = PasswordResetRequested.create(
    {
      userId: user._id,
      email: user.email,
      firstName: user.firstName,
      resetLink: `${publicUrl}/reset-password?token=${token}`,
    },
    { traceId: request.traceId },
  )
  const expiresAt = new Date(now().getTime() + ttlMs)
  await users.addReset(user._id, { id: request._id, tokenHash: hashOf(token), expiresAt }, [requested])
}

/** Sets a new password with the token of the e-mail; all sessions end. Answers whose password it was. */
export async function resetPassword(
  { users, sessions, now }: { users: Users; sessions: Sessions; now: () => Date },
  token: string,
  newPassword: string,
): Promise<User> {
  const tokenHash = hashOf(token)
  const user = await users.byResetToken(tokenHash, now())
  if (!user) throw badResetToken()
  const passwordHash = await hashPassword(newPassword)
  // Someone may have used the token while the password was being hashed.
  if (!(await users.resetPassword(tokenHash, passwordHash, now()))) throw badResetToken()
  await sessions.endAllOf(user._id)
  return user
}
