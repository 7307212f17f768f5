import { refusal } from '@voxscribe/service'
import type { Request } from 'express'
import { profileOf } from '../accounts/account.ts'
import { accountBlocked } from '../accounts/account-blocked.ts'
import type { User } from '../accounts/users.ts'
import type { Deps } from '../deps.ts'
import { deviceName } from './device-name.ts'
import { isPassword } from './passwords.ts'

interface Credentials {
  email: string
  password: string
  cookies: string | undefined
}

/** Returns the account with this e-mail address and password, and the browser's id if it has signed in before. */
export async function signIn(
  { users, limits, devices, supportEmail }: Deps,
  { email, password, cookies }: Credentials,
): Promise<{ user: User; device: string | undefined }> {
  const user = await users.byEmail(email)
  const device = user ? devices.known(user, cookies) : undefined
  const guesser = device ? `device:${device}` : email
  // Counted before the check, so that parallel tries can't exceed the limit. A correct password resets the count.
  await limits.loginOfAccount.count(guesser)
  const matches = await isPassword(password, user?.passwordHash)
  if (!user || !matches) throw refusal('invalid_credentials')
  await limits.loginOfAccount.forget(guesser)
  // Only the account's owner learns that it's blocked.
  if (user.blocked) throw accountBlocked(supportEmail)
  return { user, device }
}

/** Returns the response to a sign-in; `device`: the browser's id if it's known. */
export async function welcome(deps: Deps, user: User, request: Request, device?: string) {
  const tokens = await startSession(deps, user, request.get('user-agent'))
  const headers = { 'set-cookie': deps.devices.cookieFor(user, device) }
  return { data: { user: profileOf(user, deps.retentionDays), ...tokens }, headers }
}

/** Starts a session and returns its tokens. `userAgent`: the header of the request. */
export async function startSession({ sessions, accessTokens }: Deps, user: User, userAgent?: string) {
  const { id: sid, refreshToken } = await sessions.start(user, deviceName(userAgent))
  return { accessToken: accessTokens.issue(user, { sid }), refreshToken }
}

export async function refreshSession({ users, sessions, accessTokens }: Deps, text: string) {
  const { id: sid, renewal, userId, generation, refreshToken } = await sessions.rotate(text)
  const user = await users.byId(userId)
  if (user?.generation !== generation || user.blocked) {
    await sessions.endOf(refreshToken)
    throw refusal('unauthorized')
  }
  return { accessToken: accessTokens.issue(user, { sid, jti: renewal }), refreshToken }
}
