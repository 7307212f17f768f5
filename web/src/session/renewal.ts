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

/** How long before its end a token is renewed, in milliseconds. */
const EARLY = 60_000
const OTHERS_PATIENCE = 3_000
const UNTIL_OTHERS_SEE = 200

/** Returns the access token to be renewed: one that ends within a time, in milliseconds; else null. */
function endingToken(within: number): string | null {
  const { accessToken, refreshToken } = storedTokens()
  return accessToken && refreshToken && expiresAt(accessToken) - Date.now() < within ? accessToken : null
}

/** Runs one tab at a time, and 200 ms longer, as other tabs see stored tokens later. Without locks, a 409 does it. */
function alone<T>(work: () => Promise<T>): Promise<T> {
  if (!navigator.locks) return work()
  return new Promise(resolve => {
    const locked = navigator.locks.request('voxscribe-session', async () => {
      const done = work()
      resolve(done)
      await done.catch(() => {})
      await pause(UNTIL_OTHERS_SEE)
    })
    // A browser that blocks storage refuses locks, too.
    locked.catch(() => resolve(work()))
  })
}

let isReplacing = false

/** Makes a call that replaces the tokens in use; calls refused during it wait for the new ones. */
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

/** Waits while another tab, or another call, is storing its new tokens. */
async function otherStores(replaced: string): Promise<boolean> {
  const end = Date.now() + OTHERS_PATIENCE
  while (storedTokens().accessToken === replaced && Date.now() < end) await pause(50)
  return storedTokens().accessToken !== replaced
}

async function exchange(replaced: string): Promise<boolean> {
  const { accessToken, refreshToken } = storedTokens()
  if (accessToken !== replaced) return accessToken !== null
  if (!refreshToken) return false
  try {
    // A visitor has nothing to renew, and does not load what words refusals.
    const { send } = await import('../api/send.ts')
    const { data } = await send('refresh', { body: { refreshToken } }, null)
    storeRenewedTokens(refreshToken, data)
    return storedTokens().accessToken !== null
  } catch (error) {
    const { status } = Object(error)
    if (status === 409 && (await otherStores(replaced))) return storedTokens().accessToken !== null
    if (status === 400 || status === 401) return isReplacing && (await otherStores(replaced))
    throw error
  }
}

let underWay: Promise<boolean> | null = null

/** Exchanges the refresh token, once across tabs; false when the session is over, rejects when the server is away. */
export function renewSession(replaced: string): Promise<boolean> {
  underWay ??= alone(() => exchange(replaced)).finally(() => {
    underWay = null
  })
  return underWay
}

/** The access token for a request, renewed first when it has run out. */
export async function freshAccessToken(): Promise<string | null> {
  const ended = endingToken(0)
  if (ended) await renewSession(ended).catch(() => {})
  return storedTokens().accessToken
}

/** Renews the tokens ahead of time while the app is open. */
export function keepSessionFresh(): () => void {
  const look = async () => {
    const ending = endingToken(EARLY)
    const goesOn = !ending || (await renewSession(ending).catch(() => true))
    if (!goesOn && storedTokens().accessToken) endSession('expired')
  }
  const timer = setInterval(look, EARLY / 4)
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

/** At the start: a session whose access token has run out is signed in only once it has been renewed. */
export async function startSession(): Promise<void> {
  const ended = endingToken(0)
  loadSession({ checking: ended !== null })
  if (!ended || getSession().status !== 'checking') return
  const goesOn = await renewSession(ended).catch(() => true)
  if (getSession().status !== 'checking') return
  if (goesOn) loadSession()
  else endSession('stale')
}
