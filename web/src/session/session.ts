import type { DataFor } from '@voxscribe/contracts/calls'
import type { User } from '@voxscribe/contracts/http'
import { useSyncExternalStore } from 'react'
import { pause } from '../api/pause.ts'
import { i18n } from '../language/i18n.ts'
import { readStored, removeStored, writeStored } from '../storage.ts'

interface SessionState {
  status: 'checking' | 'signed-in' | 'signed-out'
  user: User | null
  /** The browser keeps nothing for this site. */
  lastsWhileOpen?: boolean
  /** Why the session ended in this tab; `stale`: at the start of the app; `expired`: in the middle of work. */
  end?: 'signed-out' | 'stale' | 'expired'
}

const read = (key: string): string | null => readStored(key) || null

function clear() {
  for (const key of ['accessToken', 'refreshToken', 'user']) removeStored(key)
}

/** Returns whether the browser keeps them beyond this page. */
function storeTokens({ accessToken, refreshToken }: DataFor<'refresh'>): boolean {
  noteReceived(accessToken)
  return writeStored('accessToken', accessToken) && writeStored('refreshToken', refreshToken)
}

/** The stored user; null when there is none or it is not one. */
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

/** Reads the session from storage. Items that aren't a session are cleared. */
function stateInStorage(): SessionState {
  const user = storedUser()
  if (user && read('accessToken')) return { status: 'signed-in', user }
  if (read('user') && !user) clear()
  return SIGNED_OUT
}

let state = SIGNED_OUT
const listeners = new Set<() => void>()

function become(next: SessionState) {
  state = next
  for (const listener of listeners) listener()
}

export const getSession = (): SessionState => state

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const farewells = new Set<() => Promise<unknown>>()

/** Registers work to be done before a user signs out: what still has to be sent as that user. */
export const beforeSignOut = (work: () => Promise<unknown>) => void farewells.add(work)

/** Resolves when that work is done, after 5 s at most. */
export const finishForSignOut = () =>
  Promise.race([Promise.allSettled([...farewells].map(work => work())), pause(5_000)])

/** Throws unless this user is signed in: what one person left behind is never sent as another. */
export function mustBeSignedIn(userId: string) {
  if (state.user?.id !== userId) throw new Error(i18n.t('You were signed out before this was sent.'))
}

/** Adopts the stored session: at the start, and when another tab changed it. */
export function loadSession(options: { checking?: boolean } = {}) {
  const stored = stateInStorage()
  become(options.checking && stored.user ? { ...stored, status: 'checking' } : stored)
}

export function beginSession({ user, ...tokens }: DataFor<'login'>) {
  const isKept = storeTokens(tokens)
  writeStored('user', JSON.stringify(user))
  become({ status: 'signed-in', user, ...(!isKept && { lastsWhileOpen: true }) })
}

/** Takes effect only while the renewed session is still the stored one: a sign-out in the meantime stands. */
export function storeRenewedTokens(renewedWith: string, tokens: DataFor<'refresh'>) {
  if (read('refreshToken') === renewedWith) storeTokens(tokens)
}

/** Takes over what the server says of the user, unless another user has signed in since, or nobody is signed in. */
export function replaceUser(user: User) {
  if (state.user?.id !== user.id) return
  writeStored('user', JSON.stringify(user))
  become({ ...state, user })
}

export function endSession(end: SessionState['end']) {
  clear()
  become({ ...SIGNED_OUT, end })
}

/** Reads the user from storage again; without one there, the session is over. */
function refreshUser() {
  const user = storedUser()
  if (user) become({ ...state, user })
  else endSession('signed-out')
}

/** Signing in or out in one tab does so in all tabs. */
export const followOtherTabs = () =>
  window.addEventListener('storage', ({ key }) => {
    if (key === null || key === 'user' || key === 'accessToken') loadSession()
  })

/** The newest token that came while the app was open, and when it expires by this machine's clock. */
let newest: { token: string; end: number } | undefined

function claims(token: string): { iat?: number; exp?: number } {
  try {
    const part = token.split('.')[1] ?? ''
    return Object(JSON.parse(atob(part.replace(/-/g, '+').replace(/_/g, '/'))))
  } catch {
    return {}
  }
}

/** Remembers when the token came: its lifetime counted from now is right even when this machine's clock is wrong. */
function noteReceived(token: string) {
  const { iat, exp } = claims(token)
  newest = iat && exp ? { token, end: Date.now() + (exp - iat) * 1000 } : undefined
}

/** When the token ends, in milliseconds since 1970; never, as far as this app can tell, when it does not say. */
export function expiresAt(token: string): number {
  const { exp = Number.POSITIVE_INFINITY } = claims(token)
  return newest?.token === token ? newest.end : exp * 1000
}

/** Ends the session on the server and here, and here even when the server can't be reached. */
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
