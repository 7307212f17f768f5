import { eventually } from '@voxscribe/service/testing'
import { type Auth, authForAll, newPerson, startAuth } from '../testing.ts'

const auth = authForAll()
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

const signInAgain = async ({ email, password }: { email: string; password: string }) =>
  (await auth.post('/auth/login', { email, password }, undefined, { 'user-agent': FIREFOX })).body.data
const listed = async (accessToken: string) =>
  (await auth.get('/users/sessions', accessToken)).body.data.sessions
const idOf = (refreshToken: string) => refreshToken.split('.')[0]
const refresh = (refreshToken: string) => auth.post('/auth/refresh', { refreshToken })

test('when a person has signed in twice, then both are listed without secrets, the caller’s marked', async () => {
  const first = await auth.signedUp()
  const second = await signInAgain(first.person)
  const time = expect.stringMatching(/^\d{4}-.*Z$/)
  const sessions = await listed(first.accessToken)
  expect(sessions).toEqual([
    {
      id: idOf(second.refreshToken),
      device: 'Firefox on Windows',
      createdAt: time,
      lastUsedAt: time,
      current: false,
    },
    {
      id: idOf(first.refreshToken),
      device: 'Unknown device',
      createdAt: time,
      lastUsedAt: time,
      current: true,
    },
  ])
  for (const token of [first.refreshToken, second.refreshToken])
    expect(JSON.stringify(sessions)).not.toContain(token.split('.')[1])
})

test('when a session is renewed, then it is the same one, used last, and stays the caller’s', async () => {
  const first = await auth.signedUp()
  await signInAgain(first.person)
  const { body } = await refresh(first.refreshToken)
  const [renewed] = await listed(body.data.accessToken)
  expect(renewed).toMatchObject({ id: idOf(first.refreshToken), current: true })
  expect(renewed.lastUsedAt > renewed.createdAt).toBe(true)
})

test('when a session has run out or is of before a password reset, then it is not listed', async () => {
  const { person, user } = await auth.signedUp()
  const token = await auth.resetToken(person.email)
  await auth.reset(token, 'another horse')
  const { accessToken } = await signInAgain({ ...person, password: 'another horse' })
  await signInAgain({ ...person, password: 'another horse' })
  await auth.stored('sessions').insertOne({ _id: 'old', userId: user.id, generation: 0 } as never)
  const [last] = await listed(accessToken)
  await auth.stored('sessions').updateOne({ _id: last.id }, { $set: { expiresAt: new Date(0) } })
  expect((await listed(accessToken)).map((session: { current: boolean }) => session.current)).toEqual([true])
})

test('when a session is ended elsewhere, then both of its tokens are refused at once', async () => {
  const lost = await auth.signedUp()
  const { accessToken } = await signInAgain(lost.person)
  const { status } = await auth.delete(`/users/sessions/${idOf(lost.refreshToken)}`, accessToken)
  expect(status).toBe(200)
  const calls = [
    auth.get('/users/profile', lost.accessToken),
    auth.get('/users/sessions', lost.accessToken),
    auth.delete('/users/sessions', lost.accessToken),
    auth.post('/users/update-profile', { first_name: 'Eve' }, lost.accessToken),
    auth.post('/keys', { name: 'mine', scopes: ['read'] }, lost.accessToken),
    refresh(lost.refreshToken),
  ]
  for (const answer of await Promise.all(calls))
    expect([answer.status, answer.body.message]).toEqual([401, 'Unauthorized'])
  expect(await listed(accessToken)).toHaveLength(1)
})

test('when the other sessions are ended, then the caller goes on with new tokens, and keys and the password stay', async () => {
  const { person, ...mine } = await auth.signedUp()
  const others = [await signInAgain(person), await signInAgain(person)]
  const key = (await auth.post('/keys', { name: 'n8n', scopes: ['read'] }, mine.accessToken)).body.data
  const admitted = await auth.internal('/internal/keys/use', { secret: key.secret, address: '192.0.2.1' })
  const { status, body } = await auth.delete('/users/sessions', mine.accessToken)
  expect(status).toBe(200)
  for (const { refreshToken, accessToken } of [mine, ...others]) {
    expect((await refresh(refreshToken)).status).toBe(401)
    expect((await auth.get('/users/profile', accessToken)).body.message).toBe('Unauthorized')
  }
  expect(await listed(body.data.accessToken)).toMatchObject([{ current: true }])
  expect((await refresh(body.data.refreshToken)).status).toBe(200)
  const byKey = await auth.get('/users/profile', admitted.body.data.accessToken)
  expect(byKey.status).toBe(200)
  expect((await auth.userOf(body.data.accessToken)).link_code).not.toBe(mine.user.link_code)
  const [update] = await eventually(() => auth.updatesOf(mine.user.id))
  expect(update?.data).toMatchObject({ generation: 1, passwordGeneration: 0, boundBy: mine.user.link_code })
  expect(auth.others.sent('PasswordChanged').filter(({ data }) => data.userId === mine.user.id)).toEqual([])
})

describe('when one sign-in or key ends', () => {
  const endsOf = (userId: string) =>
    auth.others.sent('AccessEnded').filter(({ data }) => data.userId === userId)
  test.each<[string, (of: Awaited<ReturnType<Auth['signedUp']>>) => Promise<unknown>]>([
    ['it is signed out', ({ refreshToken }) => auth.post('/auth/logout', { refreshToken })],
    [
      'it is ended by its owner',
      ({ accessToken, refreshToken }) => auth.delete(`/users/sessions/${idOf(refreshToken)}`, accessToken),
    ],
    ['its token is used twice', ({ refreshToken }) => refresh(`${idOf(refreshToken)}.guess`)],
  ])('because %s, then every service hears which tokens are over, and until when', async (_why, end) => {
    const signedUp = await auth.signedUp()
    await end(signedUp)
    const told = await eventually(() => endsOf(signedUp.user.id)[0])
    expect(told.data.bearerId).toBe(idOf(signedUp.refreshToken))
    const leftMs = Date.parse(told.data.until) - Date.now()
    // Longer than the token on a machine whose clock is ten minutes behind.
    expect([leftMs > 25 * 60_000, leftMs < 31 * 60_000]).toEqual([true, true])
  })

  test('because a key is deleted, then its tokens are over, too', async () => {
    const { accessToken, user } = await auth.signedUp()
    const { key } = (await auth.post('/keys', { name: 'n8n', scopes: ['read'] }, accessToken)).body.data
    await auth.delete(`/keys/${key.id}`, accessToken)
    expect((await eventually(() => endsOf(user.id)[0])).data.bearerId).toBe(key.id)
  })
})

test('when a session is another person’s or unknown, then 404 and it goes on', async () => {
  const [eve, ada] = [await auth.signedUp(), await auth.signedUp()]
  for (const id of [idOf(ada.refreshToken), 'unknown', '%24ne']) {
    const { status, body } = await auth.delete(`/users/sessions/${id}`, eve.accessToken)
    expect([status, body.message]).toEqual([404, 'There is no such session.'])
  }
  expect((await refresh(ada.refreshToken)).status).toBe(200)
})

describe('when a person changes their password', () => {
  const change = (accessToken: string, password: unknown, newPassword: unknown = 'new horse battery') =>
    auth.post('/users/change-password', { password, newPassword }, accessToken)

  test('then it counts, the caller stays signed in, and everything else ends', async () => {
    const { person, ...mine } = await auth.signedUp()
    const other = await signInAgain(person)
    const key = (await auth.post('/keys', { name: 'n8n', scopes: ['read'] }, mine.accessToken)).body.data
    const resetToken = await auth.resetToken(person.email)
    const { status, body, headers } = await change(mine.accessToken, person.password)
    expect([status, Object.keys(body.data)]).toEqual([200, ['accessToken', 'refreshToken']])
    expect(headers.getSetCookie()[0]).toMatch(/^voxscribe_device_.*HttpOnly/)
    expect(await listed(body.data.accessToken)).toMatchObject([{ current: true }])
    expect((await refresh(body.data.refreshToken)).status).toBe(200)
    for (const token of [other.refreshToken, mine.refreshToken])
      expect((await refresh(token)).status).toBe(401)
    expect((await auth.get('/users/profile', other.accessToken)).status).toBe(401)
    expect((await auth.reset(resetToken, 'thief’s password')).status).toBe(400)
    const use = await auth.internal('/internal/keys/use', { secret: key.secret, address: '192.0.2.1' })
    expect(use.status).toBe(401)
    expect((await auth.login(person.email, person.password)).status).toBe(401)
    expect((await auth.login(person.email, 'new horse battery')).status).toBe(200)
    const told = auth.others.sent('PasswordChanged').filter(({ data }) => data.userId === mine.user.id)
    expect(told.map(({ data }) => data)).toEqual([
      { userId: mine.user.id, email: person.email, firstName: 'Ada' },
    ])
    const [update] = auth.updatesOf(mine.user.id)
    expect(update?.data).toMatchObject({ generation: 1, passwordGeneration: 1, boundBy: mine.user.link_code })
    expect(update?.data.linkCode).not.toBe(mine.user.link_code)
  })

  test('with a wrong one, then 403, and nothing has changed', async () => {
    const { person, accessToken } = await auth.signedUp()
    const { status, body } = await change(accessToken, 'wrong horse')
    expect([status, body.message, body.code]).toEqual([403, 'Invalid password', 'invalid_password'])
    expect((await auth.get('/users/profile', accessToken)).status).toBe(200)
    expect((await auth.login(person.email, person.password)).status).toBe(200)
  })

  test.each([
    ['password', '', 'long enough'],
    ['password', { $ne: '' }, 'long enough'],
    ['newPassword', 'correct horse', 'seven77'],
    ['newPassword', 'correct horse', 'x'.repeat(201)],
    ['newPassword', 'correct horse', null],
  ])('and %s is bad (%j, %.10j), then 400 names it', async (field, password, newPassword) => {
    const { accessToken } = await auth.signedUp()
    const { status, body } = await change(accessToken, password, newPassword)
    expect([status, body.errors?.map(error => error.field)]).toEqual([400, [field]])
  })

  test('twice at once, then one counts and the other is refused', async () => {
    const { person, accessToken } = await auth.signedUp()
    const wanted = ['first horse', 'second horse']
    const answers = await Promise.all(wanted.map(next => change(accessToken, person.password, next)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    const won = answers.findIndex(({ status }) => status === 200)
    expect((await auth.login(person.email, wanted[won]!)).status).toBe(200)
    expect((await auth.login(person.email, wanted[1 - won]!)).status).toBe(401)
  })
})

describe('when a stolen session guesses the password', () => {
  let limited: Awaited<ReturnType<typeof startAuth>>
  beforeAll(async () => {
    limited = await startAuth({ RATE_LIMITS: 'on', RATE_LIMIT_PASSWORD: '3/15m' })
  })
  afterAll(() => limited.stop())

  test('then it may not go on, not even with the right one, while its owner can still sign in', async () => {
    const person = newPerson()
    const { accessToken } = await limited.signedUp(person)
    const guess = (password: string) =>
      limited.post('/users/change-password', { password, newPassword: 'thief’s own' }, accessToken)
    const guesses = await Promise.all(['a', 'b', 'c'].map(guess))
    expect(guesses.map(({ status }) => status)).toEqual([403, 403, 403])
    const { status, headers } = await guess(person.password)
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await limited.login(person.email, person.password)).status).toBe(200)
  })
})
