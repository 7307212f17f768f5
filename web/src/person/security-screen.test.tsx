import { screen, waitFor, within } from '@testing-library/react'
import type { SignedInDevice } from '@voxscribe/contracts/http'
import { call } from '../session/client.ts'
import { getSession } from '../session/session.ts'
import { type FakeHandlers, failure, noNetwork, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'
import { getToasts } from '../ui/feedback/toast.ts'

const here: SignedInDevice = {
  id: 's-1',
  device: 'Firefox on Windows',
  createdAt: '2026-11-20T12:00:00.000Z',
  lastUsedAt: '2026-11-21T14:05:00.000Z',
  current: true,
}
const phone: SignedInDevice = { ...here, id: 's-2', device: 'Chrome on Android', current: false }
const other: SignedInDevice = { ...phone, id: 's-3', device: 'Unknown device' }

const open = (sessions: SignedInDevice[], more: FakeHandlers = {}) =>
  openApp('/security', { sessions: () => ok({ sessions }), ...more }, ada)
const devices = async () =>
  within(await screen.findByRole('list', { name: 'Devices' })).findAllByRole('listitem')

describe('when the page of sessions opens', () => {
  test('then each device is told with its days, and only others can be signed out', async () => {
    open([here, phone, other])
    const [first, second, third] = await devices()
    expect(within(first!).getByRole('heading').parentElement?.textContent).toBe(
      'Firefox on WindowsThis device',
    )
    expect(first?.textContent).toMatch(/Signed inNov 20, 2026.*Last usedNov 21, 2026/)
    expect(within(first!).queryByRole('button')).toBeNull()
    expect(within(second!).getByRole('button', { name: 'Sign out Chrome on Android' })).toBeTruthy()
    expect(within(third!).getByRole('button', { name: 'Sign out Unknown device' })).toBeTruthy()
  })

  test('and there is no other device, then nothing can be signed out', async () => {
    open([here])
    await devices()
    expect(screen.queryByRole('button', { name: /^Sign out/ })).toBeNull()
  })
})

describe('when devices are signed out', () => {
  test('one, then the list is without it and has the focus', async () => {
    const { api, user } = open([here, phone, other], {
      endSession() {
        api.on({ sessions: () => ok({ sessions: [here, other] }) })
        return ok(null)
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Sign out Chrome on Android' }))
    await waitFor(async () => expect(await devices()).toHaveLength(2))
    expect(api.of('endSession').map(({ params }) => params)).toEqual([{ id: 's-2' }])
    expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Devices' }))
  })

  test('all others, then only this one is left, with new tokens, though other calls are refused meanwhile', async () => {
    const tokens = { accessToken: 'new-access', refreshToken: 'new-refresh' }
    const { api, user } = open([here, phone, other], {
      refresh: () => failure(401, 'Unauthorized'),
      endOtherSessions: async () => {
        api.on({
          sessions: () => ok({ sessions: [here] }),
          profile: ({ authorization }) =>
            authorization === 'Bearer new-access' ? ok({ user: ada }) : failure(401, 'Unauthorized'),
        })
        const refused = call('profile')
        await waitFor(() => expect(api.of('refresh')).toHaveLength(1))
        void refused.catch(() => {})
        return ok(tokens)
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Sign out on all other devices' }))
    await waitFor(async () => expect(await devices()).toHaveLength(1))
    expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Devices' }))
    expect(localStorage).toMatchObject(tokens)
    // The refused call was repeated, and the profile is reloaded for its new link code.
    await waitFor(() => expect(api.of('profile').at(-1)?.authorization).toBe('Bearer new-access'))
    expect(getSession().status).toBe('signed-in')
  })

  test('and that fails, then it is told and the device stays', async () => {
    const { user } = open([here, phone], { endSession: () => failure(200) })
    await user.click(await screen.findByRole('button', { name: 'Sign out Chrome on Android' }))
    await waitFor(() =>
      expect(getToasts()).toMatchObject([{ type: 'error', message: 'The device couldn’t be signed out' }]),
    )
    expect(await devices()).toHaveLength(2)
  })
})

describe('when the password is changed', () => {
  const fill = async (more: FakeHandlers, confirm = 'new horse battery') => {
    const opened = open([here], more)
    await opened.user.type(await screen.findByLabelText('Current password'), 'correct horse')
    await opened.user.type(screen.getByLabelText('New password'), 'new horse battery')
    await opened.user.type(screen.getByLabelText('Confirm new password'), confirm)
    await opened.user.click(screen.getByRole('button', { name: 'Change password' }))
    return opened
  }

  test('then the session goes on with the new tokens, and what was typed is gone', async () => {
    const tokens = { accessToken: 'new-access', refreshToken: 'new-refresh' }
    const { api } = await fill({ changePassword: () => ok(tokens) })
    const told = await screen.findByText('Your password has been changed.')
    expect(api.of('changePassword')[0]?.body).toEqual({
      password: 'correct horse',
      newPassword: 'new horse battery',
    })
    expect(localStorage).toMatchObject(tokens)
    expect(document.activeElement?.contains(told)).toBe(true)
    for (const label of ['Current password', 'New password', 'Confirm new password'])
      expect(screen.getByLabelText<HTMLInputElement>(label).value).toBe('')
    await waitFor(() => expect(api.of('sessions')).toHaveLength(2))
    expect(api.of('sessions')[1]?.authorization).toBe('Bearer new-access')
  })

  test('then password managers know whose it is', async () => {
    open([here])
    const form = (await screen.findByLabelText('New password')).closest('form')!
    const username = form.querySelector<HTMLInputElement>('input[autocomplete=username]')
    expect(username?.value).toBe(getSession().user?.email)
    expect(username?.value).toContain('@')
  })

  test('and the current one is wrong, then that is told and one stays signed in', async () => {
    const refused = failure(403, 'Invalid password', { code: 'invalid_password' })
    const { place } = await fill({ changePassword: () => refused })
    expect((await screen.findByRole('alert')).textContent).toBe('Invalid password')
    expect(place()).toBe('/security')
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('new horse battery')
  })

  test('and its answer is lost, then one signed out by it is told on the next page what to sign in with', async () => {
    const { api, user, place } = await fill({ changePassword: noNetwork })
    const told = /^No answer came, so your password may be changed already/
    await waitFor(() => expect(getToasts()).toMatchObject([{ message: expect.stringMatching(told) }]))
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('new horse battery')
    const over = () => failure(401, 'Unauthorized')
    api.on({ changePassword: over, refresh: over })
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    await waitFor(() => expect(place()).toBe('/signin'))
    expect(screen.getByText(told)).toBeTruthy()
  })

  test('and the new ones differ, then nothing is sent', async () => {
    const { api } = await fill({}, 'new house battery')
    expect(await screen.findByText('Passwords do not match')).toBeTruthy()
    expect(api.of('changePassword')).toEqual([])
  })
})
