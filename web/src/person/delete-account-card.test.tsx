import { screen, waitFor, within } from '@testing-library/react'
import { type FakeHandlers, failure, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'
import { getToasts } from '../ui/feedback/toast.ts'

const open = (more: FakeHandlers = {}) =>
  openApp('/security', { eraseAccount: () => ok(null, 'Your account is deleted.'), ...more }, ada)
const card = async () => within(await screen.findByRole('region', { name: 'Delete account' }))
const question = () => within(screen.getByRole('dialog', { name: 'Delete your account for good?' }))

test('when the second question is confirmed, then the account is deleted, and the start page says farewell', async () => {
  const { api, user, place } = open()
  const { getByLabelText, getByRole, getByText } = await card()
  expect(getByText(/only its invoices stay with Stripe/)).toBeTruthy()
  await user.click(getByRole('button', { name: 'Delete my account' }))
  expect(getByText('Password is required')).toBeTruthy()
  await user.type(getByLabelText('Password'), 'correct horse')
  await user.click(getByRole('button', { name: 'Delete my account' }))
  expect(api.of('eraseAccount')).toEqual([])
  await user.click(question().getByRole('button', { name: 'Delete everything' }))
  await waitFor(() => expect(place()).toBe('/'))
  expect(api.of('eraseAccount').map(({ body }) => body)).toEqual([{ password: 'correct horse' }])
  expect(getToasts().at(-1)?.message).toMatch(/^Your account has been deleted\./)
  expect(localStorage.length === 0 || !JSON.stringify({ ...localStorage }).includes(ada.email)).toBe(true)
})

test('when it is not confirmed, then nothing happens', async () => {
  const { api, user, place } = open()
  const { getByLabelText, getByRole } = await card()
  await user.type(getByLabelText('Password'), 'correct horse')
  await user.click(getByRole('button', { name: 'Delete my account' }))
  await user.click(question().getByRole('button', { name: 'Keep my account' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect([api.of('eraseAccount'), place()]).toEqual([[], '/security'])
})

test('when the password is wrong, then the page says so, and the person stays signed in', async () => {
  const { user, place } = open({ eraseAccount: () => failure(403, 'Invalid password') })
  const { getByLabelText, getByRole, findByText } = await card()
  await user.type(getByLabelText('Password'), 'wrong')
  await user.click(getByRole('button', { name: 'Delete my account' }))
  await user.click(question().getByRole('button', { name: 'Delete everything' }))
  expect(await findByText('Invalid password')).toBeTruthy()
  expect(place()).toBe('/security')
})
