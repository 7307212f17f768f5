import type { DataFor } from '@voxscribe/contracts/calls'
import type { User } from '@voxscribe/contracts/http'
import { useSyncExternalStore } from 'react'
import { pause } from '../api/pause.ts'
import { i18n } from '../language/i18n.ts'
import { observable } from '../observable.ts'
import { readStored, removeStored, writeStored } from '../storage.ts'

interface SessionState {
  status: 'checking' | 'signed-in' | 'signed-out'
  user: User | null
  /** Whether the browser stores nothing for this site. */
  lastsWhileOpen?: boolean
  /** Why the session ended in this tab; `stale`: at the start of the app; `expired`: during use. */
  end?: 'signed-out' | 'stale' | 'expired'
}

const read = (key: string): string | null => readStored(key) || null

function clear() {
  for (const key of ['accessToken', 'refreshToken', 'user']) removeStored(key)
}

/** Returns whether the browser keeps the tokens beyond this page. */
function storeTokens({ accessToken, refreshToken }: DataFor<'refresh'>): boolean {
  noteReceived(accessToken)
  return writeStored('accessToken', accessToken) && writeStored('refreshToken', refreshToken)
}

/** Returns the stored user; null if there is none, or the entry isn't a user. */
function storedUser(): User | null {
  try {
    const user: unknown = JSON.parse(read('user') ?? 'null')
    return user && typeof user === 'object' && !Array.isArray(user) ? (user as User) : null
  } catch {
    return null
  }
}

export const storedTokens = () => ({ accessToken: read('accessToken'), refreshToken: read('refreshToken') })

const SIGNED_OUT: SessionState = { status: 'signed-out', user: null }

/** Reads the session from storage, and clears entries that aren't a session. */
function stateInStorage(): SessionState {
  const user = storedUser()
  if (user && read('accessToken')) return { status: 'signed-in', user }
  if (read('user') && !user) clear()
  return SIGNED_OUT
}

const session = observable(SIGNED_OUT)
export const { get: getSession, subscribe: subscribeToSession } = session
let lastUserId: string | undefined

/** The id of the user who is signed in, or was last while this tab was open. */
export const lastSignedInId = () => lastUserId

function setState(next: SessionState) {
  lastUserId = next.user?.id ?? lastUserId
  session.set(next)
}

const signOutTasks = new Set<() => Promise<unknown>>()

/** Registers work to do before a user signs out, such as sending what must be sent as that user. */
export const beforeSignOut = (work: () => Promise<unknown>) => void signOutTasks.add(work)

/** Resolves when the registered work is done, after 5 s at most. */
export const finishForSignOut = () =>
  Promise.race([Promise.allSettled([...signOutTasks].map(work => work())), pause(5_000)])

/** Throws unless this user is signed in, so that nothing a user left behind is sent as another. */
export function mustBeSignedIn(userId: string) {
  if (getSession().user?.id !== userId) throw new Error(i18n.t('You were signed out before this was sent.'))
}

/** Adopts the stored session, at the start and when another tab changed it. */
export function loadSession(options: { checking?: boolean } = {}) {
  const stored = stateInStorage()
  setState(options.checking && stored.user ? { ...stored, status: 'checking' } : stored)
}

export function beginSession({ user, ...tokens }: DataFor<'login'>) {
  const isKept = storeTokens(tokens)
  writeStored('user', JSON.stringify(user))
  setState({ status: 'signed-in', user, ...(!isKept && { lastsWhileOpen: true }) })
}

/** Stores renewed tokens, unless the session that they renew is gone: a sign-out in the meantime stands. */
export function storeRenewedTokens(renewedWith: string, tokens: DataFor<'refresh'>) {
  if (read('refreshToken') === renewedWith) storeTokens(tokens)
}

/** Adopts the user from a response, unless nobody or another user has signed in since. */
export function replaceUser(user: User) {
  if (getSession().user?.id !== user.id) return
  writeStored('user', JSON.stringify(user))
  setState({ ...getSession(), user })
}

export function endSession(end: SessionState['end']) {
  clear()
  setState({ ...SIGNED_OUT, end })
}

/** Reads the user from storage again, or ends the session if there is none. */
function refreshUser() {
  const user = storedUser()
  if (user) setState({ ...getSession(), user })
  else endSession('signed-out')
}

/** Signs in or out when another tab does. */
export const followOtherTabs = () =>
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'user' || key === 'accessToken') loadSession()
  })

/** The newest token received while the app was open, and its expiry by this machine's clock. */
let newest: { token: string; end: number } | undefined

function claims(token: string): { iat?: number; exp?: number } {
  try {
    const part = token.split('.')[1] ?? ''
    return Object(JSON.parse(atob(part.replace(/-/g, '+').replace(/_/g, '/'))))
  } catch {
    return {}
  }
}

/** Records when a token arrived: its lifetime counted from then is right even if this machine's clock is wrong. */
function noteReceived(token: string) {
  const { iat, exp } = claims(token)
  newest = iat && exp ? { token, end: Date.now() + (exp - iat) * 1000 } : undefined
}

/** Returns a token's expiry as Unix time in milliseconds; infinity if the token doesn't state one. */
export function expiresAt(token: string): number {
  const { exp = Number.POSITIVE_INFINITY } = claims(token)
  return newest?.token === token ? newest.end : exp * 1000
}

/** Ends the session on the server and in this browser; in this browser even if the server can't be reached. */
async function signOut() {
  await finishForSignOut()
  const { accessToken, refreshToken } = storedTokens()
  const parts = { body: { refreshToken }, signal: AbortSignal.timeout(5_000) }
  if (refreshToken)
    await import('../api/send.ts').then(({ send }) => send('logout', parts, accessToken)).catch(() => {})
  endSession('signed-out')
}

const actions = { signIn: beginSession, signOut, replaceUser, refreshUser }

export const useSession = (): SessionState & typeof actions => ({
  ...useSyncExternalStore(subscribeToSession, getSession),
  ...actions,
})
