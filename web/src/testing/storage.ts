import type { User } from '@voxscribe/contracts/http'
import { loadSession } from '../session/session.ts'
import { tokenFor } from './people.ts'

/** Nothing stored and nobody signed in: how every test begins. */
export function freshBrowser() {
  localStorage.clear()
  sessionStorage.clear()
  loadSession()
}

/** Puts a session into storage as a sign-in would have. */
export function storeSession(user: User, accessToken = tokenFor(900), refreshToken = 'refresh-1') {
  localStorage.setItem('accessToken', accessToken)
  localStorage.setItem('refreshToken', refreshToken)
  localStorage.setItem('user', JSON.stringify(user))
}

/** The names of what is stored, in order. */
export const storedItems = () => Object.keys(localStorage).sort()

/** The stored user; fails when there is none. */
export const storedUser = (): User => JSON.parse(localStorage.getItem('user') ?? '')
