import { fireEvent, screen, waitFor } from '@testing-library/react'
import { failure, ok } from '../../testing/fake-api.ts'
import { ada } from '../../testing/people.ts'
import { openApp } from '../../testing/render-app.tsx'
import { storedItems } from '../../testing/storage.ts'

const press = async () => fireEvent.click(await screen.findByRole('button', { name: 'Restore My Number' }))

test('when the link of the mail is opened, then nothing changes until the button is pressed', async () => {
  const { api } = openApp('/undo-number?token=abc', { undoNumber: () => ok(null) })
  await screen.findByRole('heading', { name: 'Restore Your Number' })
  expect(api.of('undoNumber')).toEqual([])
  await press()
  const heading = await screen.findByRole('heading', { name: 'Number Restored' })
  expect(document.activeElement).toBe(heading)
  expect(api.of('undoNumber').map(request => request.body)).toEqual([{ token: 'abc' }])
})

test('when this browser is signed in, then it is signed out with all others', async () => {
  openApp('/undo-number?token=abc', { undoNumber: () => ok(null) }, ada)
  await press()
  await screen.findByRole('heading', { name: 'Number Restored' })
  expect(storedItems()).toEqual([])
})

test('when the link was used already, then the page says so, and the message has the focus', async () => {
  const words = 'Invalid or expired link'
  const errors = [{ field: 'token', message: words }]
  openApp('/undo-number?token=abc', { undoNumber: () => failure(400, words, { errors }) })
  await press()
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe(words)
  await waitFor(() => expect(document.activeElement?.contains(alert)).toBe(true))
  expect(document.activeElement).not.toBe(document.body)
})

test('when there is no token, then there is nothing to press', async () => {
  openApp('/undo-number')
  const button = await screen.findByRole('button', { name: 'Restore My Number' })
  expect([(button as HTMLButtonElement).disabled, screen.getByRole('alert').textContent]).toEqual([
    true,
    'Invalid or expired link',
  ])
})
