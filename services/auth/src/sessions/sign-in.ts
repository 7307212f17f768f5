import { type RateLimit, unauthorized } from '@voxscribe/service'
import { alreadyRefreshed, sessionExpired, wrongCredentials } from '../accounts/problems.ts'
import type { User, Users } from '../accounts/users.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { Devices } from './devices.ts'
import { hashPassword, isOutdated, isPassword } from './passwords.ts'
import type { Sessions } from './sessions.ts'

interface Deps {
  users: Users
  sessions: Sessions
  accessTokens: AccessTokens
  limits: { loginOfAccount: RateLimit }
  devices: Devices
  now: () => Date
}

interface Credentials {
  email: string
  password: string
  /** The `Cookie` header. */
  cookies: string | undefined
}

/** Returns the account with this e-mail address and password, and the browser if the account has signed in from it. */
export async function signIn(
  { users, limits, devices }: Deps,
  { email, password, cookies }: Credentials,
): Promise<{ user: User; device: string | undefined }> {
  const user = await users.byEmail(email)
  const device = user ? devices.known(user, cookies) : undefined
  const guesser = device ? `device:${device}` : email
  // Counted before the password is checked, so that many tries at once cannot slip through. A right one resets the count.
  await limits.loginOfAccount.count(guesser)
  const matches = await isPassword(password, user?.passwordHash)
  if (!user || !matches) throw wrongCredentials()
  await limits.loginOfAccount.forget(guesser)
  if (isOutdated(user.passwordHash)) await users.rehash(user, await hashPassword(password))
  return { user, device }
}

export async function startSession({ sessions, accessTokens, now }: Deps, user: User) {
  return { accessToken: accessTokens.issue(user), refreshToken: await sessions.start(user, now()) }
}

/** Exchanges a refresh token for new tokens. */
export async function refreshSession({ users, sessions, accessTokens, now }: Deps, refreshToken: string) {
  const rotation = await sessions.rotate(refreshToken, now())
  if (rotation.outcome === 'just-rotated') throw alreadyRefreshed()
  if (rotation.outcome === 'expired') throw sessionExpired()
  if (rotation.outcome === 'refused') throw unauthorized()
  const user = await users.byId(rotation.userId)
  if (user?.generation !== rotation.generation) {
    await sessions.endOf(rotation.refreshToken)
    throw unauthorized()
  }
  return { accessToken: accessTokens.issue(user), refreshToken: rotation.refreshToken }
}
