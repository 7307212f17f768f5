import { eventually } from '@voxscribe/service/testing'
import { newPerson, startAuth } from '../testing.ts'

let auth: Awaited<ReturnType<typeof startAuth>>
beforeAll(async () => {
  auth = await startAuth({ RATE_LIMITS: 'on', RATE_LIMIT_PASSWORD: '3/15m', RATE_LIMIT_REGISTER: '100/1h' })
})
afterAll(() => auth.stop())

const erasedOf = (userId: string) =>
  auth.others.sent('AccountErased').filter(({ data }) => data.userId === userId)

/** All of auth's documents, as text. */
async function everything(): Promise<string> {
  const collections = ['users', 'sessions', 'keys', 'reset_requests', 'rate_limits', 'closed_accounts']
  const found = await Promise.all(collections.map(name => auth.stored(name).find().toArray()))
  return JSON.stringify(found)
}

test('when an account is erased, then all sessions and keys end, and the others are told once', async () => {
  const { user, person, accessToken, refreshToken } = await auth.signedUp()
  const other = await auth.login(person.email, person.password)
  const key = await auth.post('/keys', { name: 'n8n', scopes: ['read'] }, accessToken)
  await auth.post('/auth/forgot-password', { email: person.email })
  const { email, linkCode, phone } = (await auth.storedUser(user.id))!
  expect(await everything()).toContain(email)

  expect((await auth.erase(person.password, accessToken)).status).toBe(200)
  for (const token of [refreshToken, other.body.data.refreshToken])
    expect((await auth.post('/auth/refresh', { refreshToken: token })).status).toBe(401)
  expect((await auth.get('/users/profile', accessToken)).status).toBe(401)
  const secret = await fetch(`${auth.url}/internal/keys/use`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: key.body.data.secret, scope: 'read', address: '192.0.2.1' }),
  })
  expect(secret.status).toBe(401)
  // Another device acts as late as a second click would.
  expect((await auth.erase(person.password, other.body.data.accessToken)).status).toBe(401)

  await eventually(async () => (await auth.storedUser(user.id)) === null)
  expect(erasedOf(user.id).map(({ data }) => data)).toEqual([
    { userId: user.id, phone, email, firstName: 'Ada', uiLanguage: 'en' },
  ])
  const left = await everything()
  for (const word of [email, phone, linkCode, 'Lovelace']) expect(left).not.toContain(word)
  expect((await auth.login(person.email, person.password)).status).toBe(401)
})

test('when the password is wrong, then nothing happens, and soon no more guesses are taken', async () => {
  const { person, accessToken, user } = await auth.signedUp()
  const wrong = await auth.erase('not it', accessToken)
  expect([wrong.status, wrong.body.message]).toEqual([403, 'Invalid password'])
  await auth.erase('nor this', accessToken)
  await auth.erase('nor that', accessToken)
  expect((await auth.erase(person.password, accessToken)).status).toBe(429)
  expect((await auth.get('/users/profile', accessToken)).status).toBe(200)
  expect(erasedOf(user.id)).toEqual([])
})

test('when two devices erase at once, then the others are told once', async () => {
  const { person, accessToken, user } = await auth.signedUp()
  const answers = await Promise.all([1, 2].map(() => auth.erase(person.password, accessToken)))
  expect(answers.map(({ status }) => status)).toContain(200)
  await eventually(() => erasedOf(user.id).length)
  expect(erasedOf(user.id)).toHaveLength(1)
})

test('when the others have not taken the news yet, then its person can sign up again at once, as someone else', async () => {
  const slow = await startAuth({})
  try {
    const person = newPerson()
    const before = await slow.signedUp(person)
    const { linkCode } = (await slow.storedUser(before.user.id))!
    await slow.others.close()
    expect((await slow.erase(person.password, before.accessToken)).status).toBe(200)
    const tombstone = (await slow.storedUser(before.user.id))!
    expect(Object.keys(tombstone).sort()).toEqual([
      '_id',
      'email',
      'emails',
      'erasedAt',
      'linkCode',
      'outbox',
    ])
    const { outbox, ...rest } = tombstone
    expect(outbox).toHaveLength(1)
    for (const word of [person.email, linkCode, person.wtp_number])
      expect(JSON.stringify(rest)).not.toContain(word)
    const after = await slow.signedUp(person)
    expect(after.user.id).not.toBe(before.user.id)
    expect(after.user.wtp_number).toBe(person.wtp_number)
  } finally {
    await slow.stop()
  }
})
