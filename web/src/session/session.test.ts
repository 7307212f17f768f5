import { jest } from '@jest/globals'
import { renderHook } from '@testing-library/react'
import { act } from 'react'
import { failure, fakeApi, held, noNetwork, ok } from '../testing/fake-api.ts'
import { ada, tokenFor } from '../testing/people.ts'
import { storedItems, storedUser, storeSession } from '../testing/storage.ts'
import { keepSessionFresh, startSession } from './renewal.ts'
import { followOtherTabs, getSession, loadSession, useSession } from './session.ts'

const keys = ['accessToken', 'refreshToken', 'user']
const tokens = (mark: string) =>
  ok<'refresh'>({ accessToken: tokenFor(900, mark), refreshToken: `refresh-${mark}` })

describe('when the app starts', () => {
  test.each([
    ['nothing is stored', {}, 'signed-out', []],
    ['token and user are', { accessToken: 'a', refreshToken: 'r', user: '{"id":"1"}' }, 'signed-in', keys],
    ['the user does not parse', { accessToken: 'a', refreshToken: 'r', user: '{"id":' }, 'signed-out', []],
    ['the user is a list', { accessToken: 'a', refreshToken: 'r', user: '[1]' }, 'signed-out', []],
    ['there is no token', { refreshToken: 'r', user: '{"id":"1"}' }, 'signed-out', ['refreshToken', 'user']],
    [
      'there is no user',
      { accessToken: 'a', refreshToken: 'r' },
      'signed-out',
      ['accessToken', 'refreshToken'],
    ],
  ])('and %s, then that is the session', async (_, items, status, left) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
    await startSession()
    expect(getSession().status).toBe(status)
    expect(storedItems()).toEqual(left)
  })

  test('with a token that has run out, then it is checked until the token is renewed', async () => {
    storeSession(ada, tokenFor(-1))
    const { handler, answer } = held()
    fakeApi({ refresh: handler })
    const started = startSession()
    expect(getSession().status).toBe('checking')
    answer(tokens('b'))
    await started
    expect(getSession()).toMatchObject({ status: 'signed-in', user: { first_name: 'Ada' } })
    expect(localStorage.getItem('refreshToken')).toBe('refresh-b')
  })

  test.each([
    ['refuses', () => failure(401, 'Invalid refresh token'), 'signed-out', []],
    ['does not answer', noNetwork, 'signed-in', keys],
  ])('with an old token, and the server %s, then that decides', async (_, refresh, status, left) => {
    storeSession(ada, tokenFor(-1))
    fakeApi({ refresh })
    await startSession()
    expect(getSession().status).toBe(status)
    expect(storedItems()).toEqual(left)
  })
})

describe('when the session is used', () => {
  const signedIn = () => {
    storeSession(ada)
    loadSession()
    return renderHook(() => useSession()).result
  }

  test.each([
    ['works', () => ok<'logout'>(null)],
    ['fails', () => failure(500)],
    ['gets no answer', noNetwork],
  ])('then signing out clears all, also when telling the server %s', async (_, logout) => {
    const api = fakeApi({ logout })
    const result = signedIn()
    await act(() => result.current.signOut())
    expect(api.of('logout').map(request => request.body)).toEqual([{ refreshToken: 'refresh-1' }])
    expect(result.current.status).toBe('signed-out')
    expect(storedItems()).toEqual([])
  })

  test('then a changed user replaces the stored one, and refreshing reads that', () => {
    const result = signedIn()
    act(() => result.current.replaceUser({ ...ada, first_name: 'Augusta' }))
    expect(result.current.user?.first_name).toBe('Augusta')
    expect(storedUser().first_name).toBe('Augusta')
    localStorage.setItem('user', JSON.stringify({ ...ada, first_name: 'Stored' }))
    act(() => result.current.refreshUser())
    expect(result.current.user?.first_name).toBe('Stored')
  })

  test('then an answer about somebody who has left it meanwhile does not change it', () => {
    const result = signedIn()
    act(() => result.current.replaceUser({ ...ada, id: 'user-2', first_name: 'Bob' }))
    expect([result.current.user, storedUser()]).toEqual([ada, ada])
  })

  test.each([
    ['missing', null],
    ['corrupt', '{"id'],
  ])('then refreshing a %s user signs out', (_, item) => {
    const result = signedIn()
    if (item === null) localStorage.removeItem('user')
    else localStorage.setItem('user', item)
    act(() => result.current.refreshUser())
    expect(result.current.status).toBe('signed-out')
    expect(storedItems()).toEqual([])
  })
})

describe('when another tab', () => {
  beforeAll(followOtherTabs)
  const tell = (key: string | null) => window.dispatchEvent(new StorageEvent('storage', { key }))

  test.each(['accessToken', 'user', null])('signs out (told by %j), then this one is signed out', key => {
    storeSession(ada)
    loadSession()
    localStorage.clear()
    tell(key)
    expect(getSession().status).toBe('signed-out')
  })

  test('signs in, then this one is signed in', () => {
    storeSession(ada)
    tell('user')
    expect(getSession()).toMatchObject({ status: 'signed-in', user: { id: ada.id } })
  })

  test('has renewed the session already (409), then what it stored is used', async () => {
    storeSession(ada, tokenFor(-1))
    const fresh = tokenFor(900, 'other')
    const api = fakeApi({
      refresh: () => {
        storeSession(ada, fresh, 'refresh-other')
        return failure(409, 'Already refreshed')
      },
    })
    await startSession()
    expect(api.of('refresh')).toHaveLength(1)
    expect(getSession().status).toBe('signed-in')
    expect(localStorage.getItem('accessToken')).toBe(fresh)
  })

  test('signs out while this one renews, then it stays a sign-out', async () => {
    storeSession(ada, tokenFor(-1))
    const { handler, answer } = held()
    fakeApi({ refresh: handler })
    const started = startSession()
    localStorage.clear()
    tell(null)
    answer(tokens('b'))
    await started
    expect(storedItems()).toEqual([])
    expect(getSession().status).toBe('signed-out')
  })
})

describe('while the app is open', () => {
  let stop = () => {}
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    stop()
    jest.useRealTimers()
  })

  test('then the token is renewed before it runs out, again and again', async () => {
    storeSession(ada, tokenFor(120))
    loadSession()
    const api = fakeApi({ refresh: () => tokens(`round-${api.of('refresh').length}`) })
    stop = keepSessionFresh()
    await jest.advanceTimersByTimeAsync(40_000)
    expect(api.of('refresh')).toHaveLength(0)
    await jest.advanceTimersByTimeAsync(60_000)
    expect(api.of('refresh')).toHaveLength(1)
    await jest.advanceTimersByTimeAsync(860_000)
    expect(api.of('refresh').map(request => request.body.refreshToken)).toEqual([
      'refresh-1',
      'refresh-round-1',
    ])
    expect(getSession().status).toBe('signed-in')
  })

  test('then one tab of two renews it', async () => {
    storeSession(ada, tokenFor(30))
    loadSession()
    const api = fakeApi({ refresh: () => tokens('b') })
    const stops = [keepSessionFresh(), keepSessionFresh()]
    await jest.advanceTimersByTimeAsync(120_000)
    expect(api.of('refresh')).toHaveLength(1)
    for (const stop of stops) stop()
  })

  test('then a refused renewal ends the session', async () => {
    storeSession(ada, tokenFor(30))
    loadSession()
    fakeApi({ refresh: () => failure(401, 'Revoked') })
    stop = keepSessionFresh()
    await jest.advanceTimersByTimeAsync(1_000)
    expect(getSession().status).toBe('signed-out')
    expect(storedItems()).toEqual([])
  })

  test('then a machine with a wrong clock is not renewed without end', async () => {
    storeSession(ada, tokenFor(-7200))
    loadSession()
    const api = fakeApi({
      refresh: () => {
        const now = Math.floor(Date.now() / 1000) - 7200
        const claims = btoa(JSON.stringify({ iat: now, exp: now + 900 }))
        return ok<'refresh'>({ accessToken: `h.${claims}.s`, refreshToken: 'r2' })
      },
    })
    stop = keepSessionFresh()
    await jest.advanceTimersByTimeAsync(300_000)
    expect(api.of('refresh')).toHaveLength(1)
  })
})
