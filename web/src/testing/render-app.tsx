import { act, configure, render } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { User } from '@voxscribe/contracts/http'
import { useEffect } from 'react'
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from 'react-router-dom'
import { App } from '../app/app.tsx'
import { queryClient } from '../app/query-client.ts'
import { startSession } from '../session/renewal.ts'
import { getToasts, removeToast } from '../ui/toast.ts'
import { storeSession } from './storage.ts'

// The first look at a screen waits for its code, and a machine that runs other tests as well takes its time.
configure({ asyncUtilTimeout: 60_000 })

interface Start {
  /** The signed-in user. */
  as?: User
  /** The state of the history entry. */
  state?: unknown
}

interface Place {
  path: string
  navigate: NavigateFunction
}

function Watcher({ tell }: { tell(place: Place): void }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    tell({ path: pathname + search, navigate })
  })
  return null
}

/** The real application at an address: real routes, guards, session and query client. `fakeApi` answers. */
export function renderApp(address: string, { as, state }: Start = {}) {
  if (as) storeSession(as)
  for (const { id } of getToasts()) removeToast(id)
  queryClient.clear()
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 1 } })
  void startSession()
  const [pathname, search] = address.split('?')
  const seen: Place[] = []
  const view = render(
    <MemoryRouter initialEntries={[{ pathname, search: search ? `?${search}` : '', state }]}>
      <App />
      <Watcher tell={place => void seen.push(place)} />
    </MemoryRouter>,
  )
  return {
    ...view,
    user: userEvent.setup(),
    /** Current path of the app, with its query. */
    place: () => seen.at(-1)?.path,
    navigate: (to: string | number) => act(() => void seen.at(-1)?.navigate(to as string)),
  }
}
