import { render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { User } from '@voxscribe/contracts/http'
import { createMemoryRouter } from 'react-router-dom'
import { App } from '../app/app.tsx'
import { queryClient } from '../app/query-client.ts'
import { routes } from '../app/routes.tsx'
import { startSession } from '../session/renewal.ts'
import { getToasts, removeToast } from '../ui/toast.ts'
import { tokenFor } from './people.ts'

interface Start {
  /** Who is signed in. */
  as?: User
  /** What navigation left in the history's entry. */
  state?: unknown
}

/** Puts a session into storage as a sign-in would have. */
export function store(user: User, accessToken = tokenFor(900), refreshToken = 'refresh-1') {
  localStorage.setItem('accessToken', accessToken)
  localStorage.setItem('refreshToken', refreshToken)
  localStorage.setItem('user', JSON.stringify(user))
}

/** The real application at an address: real routes, guards, session and query client. `fakeApi` answers. */
export async function renderApp(address: string, { as, state }: Start = {}) {
  if (as) store(as)
  for (const { id } of getToasts()) removeToast(id)
  void startSession()
  const [pathname, search] = address.split('?')
  const router = createMemoryRouter(routes, {
    initialEntries: [{ pathname, search: search ? `?${search}` : '', state }],
  })
  queryClient.clear()
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 1 } })
  const view = render(<App router={router} />)
  return {
    ...view,
    user: userEvent.setup(),
    router,
    /** Where the app is now, with its query. */
    place: () => router.state.location.pathname + router.state.location.search,
  }
}
