import { hashOf, newSecret } from '@voxscribe/service'
import type { Passes } from '../sessions/passes.ts'

const ATTEMPT_SECONDS = 600

/** Begins a sign-in. Returns values for the provider, and those kept by the browser: PKCE verifier and cookie. */
export async function beginAttempt(passes: Passes, publicUrl: string) {
  const [state, verifier] = [newSecret(), newSecret()]
  await passes.add('attempt', `${state} ${verifier}`, ATTEMPT_SECONDS * 1000)
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = `${cookieNameOf(state)}=${verifier}; Path=/api/auth/oidc; Max-Age=${ATTEMPT_SECONDS}; HttpOnly; SameSite=Lax${secure}`
  return { state, nonce: hashOf(verifier), verifier, cookie }
}

/** Uses up an attempt. Returns undefined unless this browser began it within ten minutes. */
export async function endAttempt(passes: Passes, state: string, cookies = '') {
  const start = `${cookieNameOf(state)}=`
  const cookie = cookies.split(/; */).find(each => each.startsWith(start)) ?? start
  const verifier = cookie.slice(start.length)
  const isOurs = await passes.take('attempt', `${state} ${verifier}`)
  return isOurs ? { nonce: hashOf(verifier), verifier } : undefined
}

/** Returns a cookie name per attempt, so that several tabs can sign in at once. */
const cookieNameOf = (state: string): string => `voxscribe_oidc_${hashOf(state).slice(0, 12)}`
