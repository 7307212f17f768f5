import { type AccessClaims, isOutdated, refusal } from '@voxscribe/service'
import type { User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'

export interface Caller {
  userId: string
  claims: AccessClaims
}

/** Returns the signed-in account. Throws 401 as soon as the session ends, before its access token expires. */
export async function callerOf(
  { users, sessions }: Pick<Deps, 'users' | 'sessions'>,
  { userId, claims }: Caller,
): Promise<User> {
  const { sessionId } = claims
  const user = await users.byId(userId)
  if (!user || user.blocked || isOutdated(claims, user)) throw refusal('unauthorized')
  if (sessionId && !(await sessions.exists(sessionId, userId))) throw refusal('unauthorized')
  return user
}
