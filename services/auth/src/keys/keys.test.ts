import { eventually } from '@voxscribe/service/testing'
import { startAuth } from '../testing.ts'

let auth: Awaited<ReturnType<typeof startAuth>>
beforeAll(async () => {
  auth = await startAuth({ RATE_LIMITS: 'on', RATE_LIMIT_KEY: '3/1m', RATE_LIMIT_REGISTER: '100/1h' })
})
afterAll(() => auth.stop())

/** Exchanges a secret as the gateway does. */
async function use(secret: string, scope = 'read', address = '192.0.2.1') {
  const response = await fetch(`${auth.url}/internal/keys/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, scope, address }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

async function withKey(wanted: object = {}) {
  const { user, accessToken, person } = await auth.signedUp()
  const body = { name: 'n8n', scopes: ['read'], ...wanted }
  const made = await auth.post('/keys', body, accessToken)
  return { user, accessToken, person, made, ...made.body.data }
}

test('when a key is made, then its secret is told once and only its hash is kept', async () => {
  const { secret, key, user, accessToken, made } = await withKey({ scopes: ['read', 'write', 'read'] })
  expect(made.status).toBe(201)
  expect(secret).toMatch(/^vox_[\w-]{43}$/)
  expect(key).toMatchObject({ name: 'n8n', scopes: ['read', 'write'], expiresAt: null, lastUsedAt: null })
  expect(secret.startsWith(key.prefix)).toBe(true)
  const { body } = await auth.get('/keys', accessToken)
  expect(body.data.keys).toEqual([key])
  const stored = JSON.stringify(await auth.stored('keys').findOne({ _id: key.id }))
  expect(stored).not.toContain(secret)
  const told = await eventually(() => auth.others.sent('KeyMade').find(({ data }) => data.userId === user.id))
  expect(told.data).toEqual({ userId: user.id, name: 'n8n' })
})

test('when a person makes and deletes keys over and over, then the mails about them end', async () => {
  const { user, accessToken } = await auth.signedUp()
  const statuses = new Set<number>()
  for (let made = 0; made < 101; made++) {
    const { status, body } = await auth.post('/keys', { name: 'n8n', scopes: ['read'] }, accessToken)
    statuses.add(status)
    if (status === 201) await auth.delete(`/keys/${body.data.key.id}`, accessToken)
  }
  expect([...statuses]).toEqual([201, 429])
  await eventually(async () => (await auth.stored('keys').countDocuments({ userId: user.id })) === 0)
})

test('when a key is used, then its owner’s access token comes back, and when and from where is shown', async () => {
  const { secret, user, key, accessToken } = await withKey()
  const { status, body } = await use(secret)
  expect(status).toBe(200)
  // The link code would open the whole account.
  const { link_code, ...shown } = user
  expect(link_code).toMatch(/^VX-/)
  expect(await auth.userOf(body.data.accessToken)).toEqual(shown)
  expect(body.data.limit).toEqual({ points: 3, left: 2, resetSeconds: 60 })
  const listed = await auth.get('/keys', accessToken)
  expect(listed.body.data.keys[0]).toMatchObject({ id: key.id, lastAddress: '192.0.2.1' })
  expect(listed.body.data.keys[0].lastUsedAt).toEqual(expect.any(String))
})

test('when the keys of a person are used too often, then each is told how long to wait', async () => {
  const { secret, accessToken } = await withKey()
  const other = await auth.post('/keys', { name: 'make', scopes: ['read'] }, accessToken)
  for (let call = 0; call < 3; call++) await use(secret)
  const { status, headers, body } = await use(other.body.data.secret)
  expect([status, body.code]).toEqual([429, 'rate_limited'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

describe('when a key does not fit', () => {
  test('because nobody has it, then it is refused', async () => {
    expect(await use('vox_nonsense')).toMatchObject({ status: 401, body: { code: 'invalid_api_key' } })
  })
  test('because it lacks the scope, then the scope is named', async () => {
    const { secret } = await withKey({ scopes: ['write'] })
    expect(await use(secret, 'read')).toMatchObject({ status: 403, body: { code: 'missing_scope' } })
  })
  test('because it has expired, then that is said', async () => {
    const { secret, key } = await withKey({ expiresAt: new Date(Date.now() + 60_000).toISOString() })
    await auth.stored('keys').updateOne({ _id: key.id }, { $set: { expiresAt: new Date(0) } })
    expect(await use(secret)).toMatchObject({ status: 401, body: { code: 'api_key_expired' } })
  })
  test('because it was deleted, then it works no more, at once', async () => {
    const { secret, key, accessToken } = await withKey()
    const response = await fetch(`${auth.url}/api/keys/${key.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${accessToken}` },
    })
    expect(response.status).toBe(200)
    expect((await use(secret)).status).toBe(401)
  })
  test('because its owner has reset the password, then it ended with the sessions, and uses up no calls', async () => {
    const { secret, person } = await withKey()
    const token = await auth.resetToken(person.email)
    await auth.post('/auth/reset-password', { token, newPassword: 'another horse' })
    for (let call = 0; call < 4; call++) expect((await use(secret)).status).toBe(401)
    const { body } = await auth.post('/auth/login', { email: person.email, password: 'another horse' })
    const made = await auth.post('/keys', { name: 'new', scopes: ['read'] }, body.data.accessToken)
    expect((await use(made.body.data.secret)).body.data.limit).toMatchObject({ points: 3, left: 2 })
  })
})

test('when a key is another person’s, then it can be neither seen nor deleted', async () => {
  const { key, secret } = await withKey()
  const other = await auth.signedUp()
  expect((await auth.get('/keys', other.accessToken)).body.data.keys).toEqual([])
  const response = await fetch(`${auth.url}/api/keys/${key.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${other.accessToken}` },
  })
  expect(response.status).toBe(404)
  expect((await use(secret)).status).toBe(200)
})

test.each([
  ['no name', { name: ' ' }, 'name'],
  ['no scope', { scopes: [] }, 'scopes'],
  ['an unknown scope', { scopes: ['admin'] }, 'scopes.0'],
  ['an end in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
  ['an end that is no time', { expiresAt: 'soon' }, 'expiresAt'],
])('when a key is asked for with %s, then the field is named', async (_, wanted, field) => {
  const { made } = await withKey(wanted)
  expect(made.status).toBe(400)
  expect(made.body.errors?.map((error: { field: string }) => error.field)).toEqual([field])
})

test('when very many keys are asked for at once, then fifty are there, and the rest is told what to do', async () => {
  const { accessToken } = await withKey()
  const ask = () => auth.post('/keys', { name: 'n8n', scopes: ['read'] }, accessToken)
  const answers = await Promise.all(Array.from({ length: 48 }, ask))
  expect(answers.map(({ status }) => status)).toEqual(Array(48).fill(201))
  const last = await Promise.all([ask(), ask(), ask()])
  expect(last.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(last.flatMap(({ body }) => body.code ?? [])).toEqual(['too_many_keys', 'too_many_keys'])
  expect((await auth.get('/keys', accessToken)).body.data.keys).toHaveLength(50)
})
