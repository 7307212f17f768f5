import type { User } from '@voxscribe/contracts/http'
import { loadSession } from '../session/session.ts'
import { tokenFor } from './people.ts'

/** Empties storage and signs out, which is the state at the start of every test. */
export function freshBrowser() {
  localStorage.clear()
  sessionStorage.clear()
  loadSession()
}

/** Stores a session as signing in would. */
export function storeSession(user: User, accessToken = tokenFor(900), refreshToken = 'refresh-1') {
  localStorage.setItem('accessToken', accessToken)
  localStorage.setItem('refreshToken', refreshToken)
  localStorage.setItem('user', JSON.stringify(user))
}

/** The names of the stored items, sorted. */
export const storedItems = () => Object.keys(localStorage).sort()

/** Returns the stored user; throws if there is none. */
export const storedUser = (): User => JSON.parse(localStorage.getItem('user') ?? '')
