import { useSyncExternalStore } from 'react'
import {
  beginSession,
  endSession,
  finishForSignOut,
  getSession,
  refreshUser,
  replaceUser,
  type SessionState,
  storedTokens,
  subscribeToSession,
} from './store.ts'

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
