import type { DataFor } from '@voxscribe/contracts/calls'
import { pause } from '../api/pause.ts'
import {
  beginSession,
  endSession,
  expiresAt,
  getSession,
  loadSession,
  storedTokens,
  storeRenewedTokens,
} from './session.ts'

/** Milliseconds before a token's expiry at which it is renewed. */
const EARLY_MS = 60_000
const OTHER_TABS_WAIT_MS = 3_000
const STORAGE_DELAY_MS = 200

/** Returns the access token if it expires within so many milliseconds and can be renewed, else null. */
function endingToken(within: number): string | null {
  const { accessToken, refreshToken } = storedTokens()
  return accessToken && refreshToken && expiresAt(accessToken) - Date.now() < within ? accessToken : null
}

/** Runs work in one tab at a time, plus 200 ms until other tabs see stored tokens. Without locks, a 409 has to do. */
function withLock<T>(work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return work()
  return new Promise(resolve => {
    const locked = navigator.locks.request('voxscribe-session', async () => {
      const done = work()
      resolve(done)
      await done.catch(() => {})
      await pause(STORAGE_DELAY_MS)
    })
    // A browser that blocks storage also refuses locks.
    locked.catch(() => resolve(work()))
  })
}

let isReplacing = false

/** Makes a call that replaces the current tokens; calls refused in the meantime wait for the new ones. */
export async function replaceTokens(call: () => Promise<{ data: DataFor<'refresh'> }>): Promise<void> {
  isReplacing = true
  try {
    const { data } = await call()
    const { user } = getSession()
    if (user) beginSession({ user, ...data })
  } finally {
    isReplacing = false
  }
}

/** Waits while another tab or call stores its new tokens. Returns whether they have replaced the given one. */
async function isReplacedElsewhere(replaced: string): Promise<boolean> {
  const end = Date.now() + OTHER_TABS_WAIT_MS
  while (storedTokens().accessToken === replaced && Date.now() < end) await pause(50)
  return storedTokens().accessToken !== replaced
}

async function exchange(replaced: string): Promise<boolean> {
  const { accessToken, refreshToken } = storedTokens()
  if (accessToken !== replaced) return accessToken !== null
  if (!refreshToken) return false
  try {
    // Imported here, so that visitors, who have nothing to renew, don't load the texts of refusals.
    const { send } = await import('../api/send.ts')
    const { data } = await send('refresh', { body: { refreshToken } }, null)
    storeRenewedTokens(refreshToken, data)
    return storedTokens().accessToken !== null
  } catch (error) {
    const { status } = Object(error)
    if (status === 409 && (await isReplacedElsewhere(replaced))) return storedTokens().accessToken !== null
    if (status === 400 || status === 401) return isReplacing && (await isReplacedElsewhere(replaced))
    throw error
  }
}

let pendingRenewal: Promise<boolean> | null = null

/** Exchanges the refresh token, once across tabs. False if the session is over; rejects if the server is down. */
export function renewSession(replaced: string): Promise<boolean> {
  pendingRenewal ??= withLock(() => exchange(replaced)).finally(() => {
    pendingRenewal = null
  })
  return pendingRenewal
}

/** Returns the access token for a request, renewed first if it has expired. */
export async function freshAccessToken(): Promise<string | null> {
  const ended = endingToken(0)
  if (ended) await renewSession(ended).catch(() => {})
  return storedTokens().accessToken
}

/** Renews the tokens early while the app is open. */
export function keepSessionFresh(): () => void {
  const look = async () => {
    const ending = endingToken(EARLY_MS)
    const isAlive = !ending || (await renewSession(ending).catch(() => true))
    if (!isAlive && storedTokens().accessToken) endSession('expired')
  }
  const timer = setInterval(look, EARLY_MS / 4)
  const wake = () => document.visibilityState === 'visible' && void look()
  document.addEventListener('visibilitychange', wake)
  window.addEventListener('online', wake)
  void look()
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', wake)
    window.removeEventListener('online', wake)
  }
}

/** Starts the app's session. If its access token has expired, it is renewed before the person is signed in. */
export async function startSession(): Promise<void> {
  const ended = endingToken(0)
  loadSession({ checking: ended !== null })
  if (!ended || getSession().status !== 'checking') return
  const isAlive = await renewSession(ended).catch(() => true)
  if (getSession().status !== 'checking') return
  if (isAlive) loadSession()
  else endSession('stale')
}
