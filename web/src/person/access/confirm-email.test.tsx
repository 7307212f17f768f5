import { fireEvent, screen, waitFor } from '@testing-library/react'
import { failure, ok } from '../../testing/fake-api.ts'
import { ada } from '../../testing/people.ts'
import { openApp } from '../../testing/render-app.tsx'
import { storedItems } from '../../testing/storage.ts'

const press = async () => fireEvent.click(await screen.findByRole('button', { name: 'Confirm my email' }))

test('when the link of the mail is opened, then the button confirms the address, and one stays signed in', async () => {
  const { api } = openApp('/confirm-email?token=u1.abc', { confirmEmail: () => ok(null) }, ada)
  await screen.findByRole('heading', { name: 'Confirm your email' })
  expect(screen.getByText(/In this browser, ada@example.org is signed in/)).toBeTruthy()
  expect(api.of('confirmEmail')).toEqual([])
  await press()
  const heading = await screen.findByRole('heading', { name: 'Email confirmed' })
  await waitFor(() => expect(document.activeElement).toBe(heading))
  expect(api.of('confirmEmail').map(request => request.body)).toEqual([{ token: 'u1.abc' }])
  expect(storedItems()).not.toEqual([])
})

test('when the address was changed since, then the page says so', async () => {
  const words = 'Invalid or expired link'
  const errors = [{ field: 'token', message: words }]
  openApp('/confirm-email?token=abc', { confirmEmail: () => failure(400, words, { errors }) })
  await press()
  expect((await screen.findByRole('alert')).textContent).toBe(words)
})
