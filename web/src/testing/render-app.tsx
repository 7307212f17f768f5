import { act, configure, getConfig, render, screen, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import type { User } from '@voxscribe/contracts/http'
import * as React from 'react'
import { useEffect } from 'react'
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from 'react-router-dom'
import { App } from '../app/app.tsx'
import { queryClient } from '../session/query-client.ts'
import { startSession } from '../session/renewal.ts'
import { getToasts, removeToast } from '../ui/feedback/toast.ts'
import { type FakeHandlers, fakeApi, ok } from './fake-api.ts'
import { pageOf } from './notes.ts'
import { ada, someCountries } from './people.ts'
import { config, statusOf } from './plans.ts'
import { storeSession } from './storage.ts'

// A screen's first appearance waits for its code, which takes long on a machine that runs other tests.
configure({ asyncUtilTimeout: 180_000 })

// Testing Library repeats a failing query at each change of the page, and would print the whole page for each error.
// Only the last error, after the timeout, includes the page.
const { getElementError: withPage } = getConfig()
configure({
  getElementError(message, container) {
    const { _disableExpensiveErrorDiagnostics: isWaiting } = getConfig() as {
      _disableExpensiveErrorDiagnostics?: boolean
    }
    return isWaiting ? new Error(message ?? '') : withPage(message, container)
  },
})

// React would record a stack trace for each element, for its warnings: a sixth of these tests' time.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } =
  React as unknown as Record<string, object>
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set() {} })

interface Start {
  /** The signed-in user. */
  as?: User
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

/** Renders the real application at an address: real routes, guards, session and query client. `fakeApi` responds. */
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
    /** The app's current path, with its query. */
    place: () => seen.at(-1)?.path,
    navigate: (to: string | number, state?: unknown) =>
      act(() => void seen.at(-1)?.navigate(to as string, { state })),
  }
}

/** Opens the application at an address; the server responds as it does to this user, except for `handlers`. */
export function openApp(address: string, handlers: FakeHandlers = {}, as?: User) {
  const user = as ?? ada
  const api = fakeApi({
    profile: () => ok({ user }),
    config: () => ok(config),
    countries: () => ok(someCountries),
    transcriptions: () => ok(pageOf([])),
    subscriptionStatus: () => ok(statusOf(user.subscription)),
    logout: () => ok(null),
    sessions: () => ok({ sessions: [] }),
    grants: () => ok({ grants: [] }),
    keys: () => ok({ keys: [] }),
    hooks: () => ok({ hooks: [] }),
    ...handlers,
  })
  return { api, ...renderApp(address, as && { as }) }
}

/** Fills in the form of /signin and sends it. */
export async function signIn(user: UserEvent, email = ada.email, password = 'correct horse') {
  const form = within(await screen.findByRole('main'))
  if (email) await user.type(form.getByLabelText('Email'), email)
  if (password) await user.type(form.getByLabelText('Password'), password)
  await user.click(form.getByRole('button', { name: 'Sign In' }))
}
