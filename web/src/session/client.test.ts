import { type FakeHandlers, failure, fakeApi, noNetwork, ok } from '../testing/fake-api.ts'
import { ada, tokenFor } from '../testing/people.ts'
import { storedItems, storeSession } from '../testing/storage.ts'
import { call } from './client.ts'
import { getSession, loadSession, subscribeToSession } from './session.ts'

const profile = () => ok<'profile'>({ user: ada })
const renewed = (accessToken: string) => () => ok<'refresh'>({ accessToken, refreshToken: 'refresh-2' })

let expired = 0
let unsubscribe: () => void
beforeEach(() => {
  expired = 0
  unsubscribe = subscribeToSession(() => {
    if (getSession().end === 'expired') expired += 1
  })
})
afterEach(() => unsubscribe())

function signedIn(accessToken = tokenFor(900)) {
  storeSession(ada, accessToken)
  loadSession()
  return accessToken
}

test('when a session is stored, then a call carries its token; else it carries none', async () => {
  const api = fakeApi({ profile })
  await call('profile')
  const token = signedIn()
  await call('profile')
  expect(api.of('profile').map(request => request.authorization)).toEqual([undefined, `Bearer ${token}`])
})

test('when a call has an id, a query and a body, then they go where they belong', async () => {
  const api = fakeApi({
    deleteTranscription: () => ok<'deleteTranscription'>(null),
    transcriptions: () => failure(500),
    contact: () => ok<'contact'>(null, 'Stored'),
  })
  await call('deleteTranscription', { params: { id: 'a/b' } })
  await call('transcriptions', { query: { page: 2, search: 'blue folder' } }).catch(() => {})
  const body = { name: 'Ada', email: 'ada@example.org', subject: 'bug', message: 'Hello' } as const
  const { message } = await call('contact', { body })
  expect(api.of('deleteTranscription')[0]?.params).toEqual({ id: 'a%2Fb' })
  expect(api.of('transcriptions')[0]?.query).toEqual({ page: 2, search: 'blue folder' })
  expect(api.of('contact')[0]?.body).toEqual(body)
  expect(message).toBe('Stored')
})

test('when a text model answers a call, then it may take longer than the minute of others', async () => {
  const api = fakeApi({ makeText: () => failure(503), ask: () => failure(503), profile })
  await call('makeText', { params: { id: 'n1' }, body: { formId: 'f1' } }).catch(() => {})
  await call('ask', { body: { question: 'When does Ana come?' } }).catch(() => {})
  await call('profile')
  expect(api.requests.map(({ key, timeout }) => [key, timeout])).toEqual([
    ['makeText', 0],
    ['ask', 0],
    ['profile', 60_000],
  ])
})

describe('when the server says that the session has run out', () => {
  test.each(['Token expired', 'token EXPIRED at noon', 'Unauthorized', 'You are unauthorized'])(
    'with %j, then it is renewed and the call made again',
    async words => {
      const old = signedIn()
      const fresh = tokenFor(900, 'b')
      const api = fakeApi({
        profile: ({ authorization }) => (authorization === `Bearer ${old}` ? failure(401, words) : profile()),
        refresh: renewed(fresh),
      })
      const { data } = await call('profile')
      expect(data.user.first_name).toBe('Ada')
      expect(api.of('refresh').map(request => request.body)).toEqual([{ refreshToken: 'refresh-1' }])
      expect(localStorage.getItem('accessToken')).toBe(fresh)
      expect(localStorage.getItem('refreshToken')).toBe('refresh-2')
      expect(expired).toBe(0)
    },
  )

  const refused = () => failure(401, 'Token expired')
  test.each<[string, FakeHandlers['refresh'], number]>([
    ['the renewal is refused with 400', () => failure(400, 'No'), 1],
    ['the renewal is refused with 401', () => failure(401, 'No'), 1],
    ['the new token is refused as well', renewed(tokenFor(900, 'b')), 2],
    ['there is no refresh token', undefined, 1],
  ])('and %s, then all three items are cleared', async (_, refresh, calls) => {
    signedIn()
    if (!refresh) localStorage.removeItem('refreshToken')
    const api = fakeApi({ profile: refused, ...(refresh && { refresh }) })
    await expect(call('profile')).rejects.toMatchObject({ status: 401, message: 'Token expired' })
    expect(api.of('profile')).toHaveLength(calls)
    expect(api.of('refresh')).toHaveLength(refresh ? 1 : 0)
    expect(storedItems()).toEqual([])
    expect([getSession().status, expired]).toEqual(['signed-out', 1])
  })

  test.each([
    ['no network', noNetwork],
    ['a server that is down', () => failure(503)],
  ])('and %s keeps it from being renewed, then nobody is signed out', async (_, refresh) => {
    signedIn()
    fakeApi({ profile: refused, refresh })
    await expect(call('profile')).rejects.toMatchObject({ name: 'ApiError' })
    expect(storedItems()).toHaveLength(3)
    expect(expired).toBe(0)
  })

  test('to several calls at once, then it is renewed once', async () => {
    const old = signedIn()
    const api = fakeApi({
      profile: ({ authorization }) =>
        authorization === `Bearer ${old}` ? failure(401, 'Token expired') : profile(),
      refresh: renewed(tokenFor(900, 'b')),
    })
    await Promise.all([call('profile'), call('profile'), call('profile')])
    expect(api.of('refresh')).toHaveLength(1)
  })
})

test.each(['Invalid email or password', 'Wrong password', ''])(
  'when a 401 says %j, then the session stays',
  async words => {
    signedIn()
    const api = fakeApi({ login: () => failure(401, words) })
    await expect(call('login', { body: { email: 'a@b.c', password: 'x' } })).rejects.toBeDefined()
    expect(storedItems()).toHaveLength(3)
    expect(api.of('refresh')).toHaveLength(0)
  },
)

test('when the stored token has run out already, then it is renewed before the call', async () => {
  signedIn(tokenFor(-5))
  const fresh = tokenFor(900, 'b')
  const api = fakeApi({ profile, refresh: renewed(fresh) })
  await call('profile')
  expect(api.requests.map(request => request.key)).toEqual(['refresh', 'profile'])
  expect(api.of('profile')[0]?.authorization).toBe(`Bearer ${fresh}`)
})
