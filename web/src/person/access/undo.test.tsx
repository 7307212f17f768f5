import { fireEvent, screen, waitFor } from '@testing-library/react'
import { failure, ok } from '../../testing/fake-api.ts'
import { ada } from '../../testing/people.ts'
import { openApp } from '../../testing/render-app.tsx'
import { storedItems } from '../../testing/storage.ts'

describe.each([
  ['Email', 'email', '/undo-email', 'undoEmail'],
  ['Number', 'number', '/undo-number', 'undoNumber'],
] as const)('%s', (What, what, page, call) => {
  const press = async () => fireEvent.click(await screen.findByRole('button', { name: `Restore my ${what}` }))

  test('when the link of the mail is opened, then nothing changes until the button is pressed', async () => {
    const { api } = openApp(`${page}?token=abc`, { [call]: () => ok(null) })
    await screen.findByRole('heading', { name: `Restore your ${what}` })
    expect(api.of(call)).toEqual([])
    await press()
    const heading = await screen.findByRole('heading', { name: `${What} restored` })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(api.of(call).map(request => request.body)).toEqual([{ token: 'abc' }])
  })

  test('when this browser is signed in, then it is signed out with all others', async () => {
    const { api } = openApp(`${page}?token=abc`, { [call]: () => ok(null) }, ada)
    await screen.findByRole('heading', { name: `Restore your ${what}` })
    api.on({ profile: () => failure(401, 'Unauthorized') })
    await press()
    await screen.findByRole('heading', { name: `${What} restored` })
    expect(storedItems()).toEqual([])
  })

  test('when another account is signed in here, then it stays, and the page says which', async () => {
    openApp(`${page}?token=abc`, { [call]: () => ok(null) }, ada)
    await press()
    await screen.findByRole('heading', { name: `${What} restored` })
    expect(screen.getByText(/In this browser, ada@example.org is signed in/)).toBeTruthy()
    expect(storedItems()).not.toEqual([])
    expect(screen.getByRole('link', { name: 'Open your dashboard' })).toBeTruthy()
  })

  test('when the link was used already, then the page says so, and the message has the focus', async () => {
    const words = 'Invalid or expired link'
    const errors = [{ field: 'token', message: words }]
    openApp(`${page}?token=abc`, { [call]: () => failure(400, words, { errors }) })
    await press()
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toBe(words)
    await waitFor(() => expect(document.activeElement?.contains(alert)).toBe(true))
    expect(document.activeElement).not.toBe(document.body)
  })

  test('when there is no token, then there is nothing to press', async () => {
    openApp(`${page}`)
    const button = await screen.findByRole('button', { name: `Restore my ${what}` })
    expect([(button as HTMLButtonElement).disabled, screen.getByRole('alert').textContent]).toEqual([
      true,
      'Invalid or expired link',
    ])
  })
})
