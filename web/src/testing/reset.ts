import { loadSession } from '../session/store.ts'

/** Nothing stored and nobody signed in: how every test begins. */
export function freshBrowser() {
  localStorage.clear()
  sessionStorage.clear()
  loadSession()
}
