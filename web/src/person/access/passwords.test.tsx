import { jest } from '@jest/globals'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { type FakeHandlers, failure, ok } from '../../testing/fake-api.ts'
import { ada } from '../../testing/people.ts'
import { openApp } from '../../testing/render-app.tsx'
import { storedItems } from '../../testing/storage.ts'

const type = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const alerts = () => screen.queryAllByRole('alert').map(alert => alert.textContent)

describe('when a password is forgotten', () => {
  async function ask(handlers: FakeHandlers, email: string) {
    const { api } = openApp('/forgot-password', handlers)
    await screen.findByRole('heading', { name: 'Forgot password' })
    type('Email', email)
    press('Send reset link')
    return api
  }

  test('then a mail is asked for, and the page says what to expect', async () => {
    const api = await ask({ forgotPassword: () => ok<'forgotPassword'>(null) }, 'Ada@Example.org')
    const heading = await screen.findByRole('heading', { name: 'Password Reset Email Sent' })
    await waitFor(() => expect(document.activeElement).toBe(heading))
    expect(
      screen.getByText(
        'If an account exists for ada@example.org, you will receive an email with instructions on how to reset your password.',
      ),
    ).toBeTruthy()
    expect(api.of('forgotPassword')[0]?.body).toEqual({ email: 'ada@example.org' })
  })

  test('and the server refuses, then a banner says so', async () => {
    await ask({ forgotPassword: () => failure(429, 'Too many requests.') }, 'ada@example.org')
    await waitFor(() => expect(alerts()).toEqual(['Too many requests.']))
  })

  test('and no address is given, then nobody is asked', async () => {
    const api = await ask({}, '')
    await waitFor(() => expect(alerts()).toEqual(['Email is required']))
    expect(api.requests).toHaveLength(0)
  })
})

describe('when a new password is set', () => {
  async function open(address: string, handlers: FakeHandlers = {}, as?: typeof ada) {
    const app = openApp(address, { resetPassword: () => ok(null), ...handlers }, as)
    await screen.findByRole('heading', { name: 'Reset password' })
    return app
  }
  function send(password: string, confirm = password) {
    type('New password', password)
    type('Confirm new password', confirm)
    press('Reset password')
  }

  test('then it is sent with the token, and after 3 seconds /signin opens', async () => {
    const { api, place } = await open('/reset-password?token=abc')
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'setImmediate', 'nextTick'] })
    try {
      send('secret')
      await act(() => jest.advanceTimersByTimeAsync(100))
      expect(screen.getByRole('heading', { name: 'Password reset' })).toBeTruthy()
      expect(api.of('resetPassword')[0]?.body).toEqual({ token: 'abc', newPassword: 'secret' })
      await act(() => jest.advanceTimersByTimeAsync(2_800))
      expect(place()).toBe('/reset-password?token=abc')
      await act(() => jest.advanceTimersByTimeAsync(300))
      expect(place()).toBe('/signin')
    } finally {
      jest.useRealTimers()
    }
  })

  test.each([
    ['five5', 'five5', 'Password must be at least 6 characters long'],
    ['secret', 'secreT', 'Passwords do not match'],
  ])('as %j and %j, then it says %j and nothing is sent', async (password, confirm, words) => {
    const { api } = await open('/reset-password?token=abc')
    send(password, confirm)
    await waitFor(() => expect(alerts()).toContain(words))
    expect(api.requests).toHaveLength(0)
  })

  test.each(['/reset-password', '/reset-password?token=', '/reset-password?token=%20'])(
    'at %s, then the missing token is named, before and after',
    async address => {
      const { api } = await open(address)
      expect(alerts()).toEqual(['Invalid or missing reset token'])
      send('secret')
      await waitFor(() => expect(alerts()).toEqual(['Invalid reset token']))
      expect(api.requests).toHaveLength(0)
    },
  )

  test('and there is no message, then a banner has the words', async () => {
    await open('/reset-password?token=abc', { resetPassword: () => failure(200) })
    send('secret')
    await waitFor(() => expect(alerts()).toEqual(['An error occurred']))
  })

  test('by somebody signed in, then this browser is signed out like every other', async () => {
    const { api } = await open('/reset-password?token=abc', {}, ada)
    api.on({ profile: () => failure(401, 'Unauthorized') })
    send('secret')
    await screen.findByRole('heading', { name: 'Password reset' })
    expect(api.of('logout')).toHaveLength(1)
    expect(storedItems()).toEqual([])
  })

  test('for another account than the one signed in here, then that one stays signed in, and the page says so', async () => {
    const { api, place, user } = await open('/reset-password?token=abc', {}, ada)
    const whose = /In this browser, ada@example.org is signed in/
    expect(screen.getByText(whose)).toBeTruthy()
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'setImmediate', 'nextTick'] })
    try {
      send('secret')
      await act(() => jest.advanceTimersByTimeAsync(5_000))
    } finally {
      jest.useRealTimers()
    }
    expect(screen.getByRole('heading', { name: 'Password reset' })).toBeTruthy()
    expect(screen.getByText(whose)).toBeTruthy()
    expect([place(), api.of('logout').length]).toEqual(['/reset-password?token=abc', 0])
    expect(storedItems()).not.toEqual([])
    await user.click(screen.getByRole('link', { name: 'Open your dashboard' }))
    await waitFor(() => expect(place()).toBe('/dashboard'))
  })

  test('then both fields can be shown, and hidden again; no spell checker gets to see them', async () => {
    await open('/reset-password?token=abc')
    press('Show new password')
    press('Show confirm new password')
    press('Hide new password')
    const fields = ['New password', 'Confirm new password'].map(label =>
      screen.getByLabelText<HTMLInputElement>(label),
    )
    expect(fields.map(({ type }) => type)).toEqual(['password', 'text'])
    for (const field of fields) expect(field.getAttribute('spellcheck')).toBe('false')
  })
})
