import { jest } from '@jest/globals'
import { screen, waitFor } from '@testing-library/react'
import { ok } from '../testing/fake-api.ts'
import { ada, tokenFor } from '../testing/people.ts'
import { openApp, signIn } from '../testing/render-app.tsx'
import { getToasts } from '../ui/feedback/toast.ts'

function refuse(): never {
  throw new DOMException("Failed to read the 'localStorage' property from 'Window'", 'SecurityError')
}

beforeEach(() => void jest.spyOn(globalThis, 'localStorage', 'get').mockImplementation(refuse))
afterEach(() => jest.restoreAllMocks())

test('when storage is blocked, then a page is shown, and a sign-in lasts as long as the page, which says so', async () => {
  const tokens = { accessToken: tokenFor(900), refreshToken: 'refresh-1' }
  const app = openApp('/signin', { login: () => ok<'login'>({ user: ada, ...tokens }) })
  await screen.findByRole('heading', { name: 'Sign In' })
  await signIn(app.user)
  await waitFor(() => expect(app.place()).toBe('/dashboard'))
  const said = getToasts().map(({ message }) => message)
  expect(said).toEqual([
    'Your browser keeps nothing for this site. You stay signed in until you close this page.',
  ])

  await app.navigate('/transcription-history')
  expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy()
  await waitFor(() =>
    expect(app.api.of('transcriptions').at(-1)?.authorization).toBe(`Bearer ${tokens.accessToken}`),
  )
  await app.user.click(screen.getByRole('radio', { name: 'Dark' }))
  expect(document.documentElement.dataset.theme).toBe('dark')
})
