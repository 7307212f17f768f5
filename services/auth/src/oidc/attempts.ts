import { hashOf, newSecret } from '@voxscribe/service'
import type { Passes } from '../sessions/passes.ts'

const ATTEMPT_SECONDS = 600

/** Returns what goes to the provider, and what stays with the browser: the verifier of PKCE, and its cookie. */
export async function beginAttempt(passes: Passes, publicUrl: string) {
  const [state, verifier] = [newSecret(), newSecret()]
  await passes.add('attempt', `${state} ${verifier}`, ATTEMPT_SECONDS * 1000)
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = `${cookieNameOf(state)}=${verifier}; Path=/api/auth/oidc; Max-Age=${ATTEMPT_SECONDS}; HttpOnly; SameSite=Lax${secure}`
  return { state, nonce: hashOf(verifier), verifier, cookie }
}

/** Uses an attempt up; undefined unless it was this browser's, in time. */
export async function endAttempt(passes: Passes, state: string, cookies = '') {
  const start = `${cookieNameOf(state)}=`
  const cookie = cookies.split(/; */).find(each => each.startsWith(start)) ?? start
  const verifier = cookie.slice(start.length)
  const isOurs = await passes.take('attempt', `${state} ${verifier}`)
  return isOurs ? { nonce: hashOf(verifier), verifier } : undefined
}

/** Each attempt has a cookie, so that several tabs can be on their way. */
const cookieNameOf = (state: string): string => `voxscribe_oidc_${hashOf(state).slice(0, 12)}`
