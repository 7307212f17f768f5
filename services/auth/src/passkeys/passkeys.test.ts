import { eventually } from '@voxscribe/service/testing'
import { authForAll, startAuth } from '../testing.ts'
import { createAuthenticator } from './testing.ts'

const PUBLIC_URL = 'https://voxscribe.test'
const auth = authForAll({ PUBLIC_URL })

const optionsToAdd = async (accessToken: string) =>
  (await auth.post('/users/passkeys/options', {}, accessToken)).body.data.options
const optionsToSignIn = async () => (await auth.post('/auth/passkey/options', {})).body.data.options
const add = (response: unknown, accessToken: string, name = 'Phone') =>
  auth.post('/users/passkeys', { name, response }, accessToken)
const signIn = (response: unknown) => auth.post('/auth/passkey', { response })
const listed = async (accessToken: string) =>
  (await auth.get('/users/passkeys', accessToken)).body.data.passkeys
const changesOf = (userId: string) =>
  auth.others.sent('PasskeyChanged').flatMap(({ data }) => (data.userId === userId ? [data] : []))

/** A new person with one passkey. */
async function withPasskey() {
  const account = await auth.signedUp()
  const authenticator = createAuthenticator(PUBLIC_URL)
  const added = await add(authenticator.create(await optionsToAdd(account.accessToken)), account.accessToken)
  expect(added.status).toBe(201)
  return { ...account, authenticator }
}

/** The refusal, which must not sign a page out. */
function expectRefused({ status, body }: Awaited<ReturnType<typeof signIn>>, expected = 401) {
  expect([status, body.code]).toEqual([expected, 'passkey_refused'])
  expect(body.message).not.toMatch(/unauthorized|token expired/i)
}

test('when a passkey is added, then it must be discoverable and verify its person, and signs in as a password does', async () => {
  const { accessToken, user } = await auth.signedUp()
  const options = await optionsToAdd(accessToken)
  expect(options).toMatchObject({
    rp: { id: 'voxscribe.test' },
    user: { id: Buffer.from(user.id).toString('base64url'), name: user.email },
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const authenticator = createAuthenticator(PUBLIC_URL)
  const { status, body } = await add(authenticator.create(options), accessToken, ' My  phone ')
  const passkey = { id: authenticator.id, name: 'My phone', lastUsedAt: null, createdAt: expect.any(String) }
  expect([status, body.data]).toEqual([201, { passkey }])
  expect(changesOf(user.id)).toEqual([{ userId: user.id, name: 'My phone', change: 'added' }])
  expect((await optionsToAdd(accessToken)).excludeCredentials).toMatchObject([{ id: authenticator.id }])

  const asked = await optionsToSignIn()
  expect(asked).toMatchObject({ rpId: 'voxscribe.test', userVerification: 'required' })
  expect(asked.allowCredentials ?? []).toEqual([])
  const signedIn = await signIn(authenticator.get(asked))
  expect(signedIn.status).toBe(200)
  expect(signedIn.body.data.user).toMatchObject({ id: user.id })
  expect(signedIn.headers.getSetCookie()[0]).toContain('voxscribe_device_')
  expect((await auth.userOf(signedIn.body.data.accessToken)).id).toBe(user.id)
  const { refreshToken } = signedIn.body.data
  expect((await auth.post('/auth/refresh', { refreshToken })).status).toBe(200)
  expect((await listed(accessToken))[0].lastUsedAt).toEqual(expect.any(String))
})

test('when a passkey is renamed or removed, then only its person can, and hears of it', async () => {
  const { accessToken, user, authenticator } = await withPasskey()
  const other = await auth.signedUp()
  const path = `/users/passkeys/${authenticator.id}`
  const rename = (name: string, token: string) => auth.patch(path, { name }, token)
  expect((await rename('Laptop', accessToken)).body.data.passkey.name).toBe('Laptop')
  expect((await rename('x'.repeat(61), accessToken)).status).toBe(400)
  expect((await rename(' ', accessToken)).status).toBe(400)
  expect((await rename('Mine', other.accessToken)).status).toBe(404)
  expect((await auth.delete(path, other.accessToken)).status).toBe(404)
  expect((await listed(accessToken)).map(({ name }: { name: string }) => name)).toEqual(['Laptop'])

  expect((await auth.delete(path, accessToken)).status).toBe(200)
  expect((await auth.delete(path, accessToken)).status).toBe(404)
  expect(await listed(accessToken)).toEqual([])
  expect(changesOf(user.id).map(({ name, change }) => [name, change])).toEqual([
    ['Phone', 'added'],
    ['Laptop', 'removed'],
  ])
  expectRefused(await signIn(authenticator.get(await optionsToSignIn())))
})

test.each([
  ['comes from another origin', { origin: 'https://voxscribe.test.example.com' }],
  ['is for another site', { rpId: 'example.com' }],
  ['was given without verifying the person', { isVerified: false }],
])('when an answer %s, then it neither signs in nor is added', async (_what, twist) => {
  const { accessToken, authenticator } = await withPasskey()
  expectRefused(await signIn(authenticator.get(await optionsToSignIn(), twist)))
  const made = createAuthenticator(PUBLIC_URL).create(await optionsToAdd(accessToken), twist)
  expectRefused(await add(made, accessToken), 400)
  expect(await listed(accessToken)).toHaveLength(1)
})

test('when a counter goes back or stays, then the passkey is refused; one that is always 0 is not', async () => {
  const { authenticator } = await withPasskey()
  const signInAt = async (counter: number) => signIn(authenticator.get(await optionsToSignIn(), { counter }))
  expect((await signInAt(0)).status).toBe(200)
  expect((await signInAt(0)).status).toBe(200)
  expect((await signInAt(7)).status).toBe(200)
  expectRefused(await signInAt(7))
  expectRefused(await signInAt(6))
  expectRefused(await signInAt(0))
  expect((await signInAt(8)).status).toBe(200)
  const both = await Promise.all([signInAt(9), signInAt(9)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
})

test('when a challenge is used twice, for another purpose, or made up, then it is refused', async () => {
  const { accessToken, authenticator } = await withPasskey()
  const twice = await optionsToSignIn()
  expect((await signIn(authenticator.get(twice))).status).toBe(200)
  expectRefused(await signIn(authenticator.get(twice)))
  const afterWrong = await optionsToSignIn()
  expectRefused(await signIn(authenticator.get(afterWrong, { origin: 'https://example.com' })))
  expectRefused(await signIn(authenticator.get(afterWrong)))
  expectRefused(await signIn(authenticator.get(await optionsToAdd(accessToken))))
  expectRefused(await signIn(authenticator.get({ challenge: 'bWFkZSB1cA' })))
  const toSignIn = { ...(await optionsToAdd(accessToken)), ...(await optionsToSignIn()) }
  expectRefused(await add(createAuthenticator(PUBLIC_URL).create(toSignIn), accessToken), 400)
})

test('when one passkey answers in two tabs, then both sign in, and an answer that was overtaken does not', async () => {
  const { authenticator } = await withPasskey()
  const [one, two] = [await optionsToSignIn(), await optionsToSignIn()]
  const [first, second] = [authenticator.get(one), authenticator.get(two)]
  expect((await signIn(first)).status).toBe(200)
  expect((await signIn(second)).status).toBe(200)
  const [overtaken, newest] = [await optionsToSignIn(), await optionsToSignIn()].map(options =>
    authenticator.get(options),
  )
  expect((await signIn(newest)).status).toBe(200)
  expectRefused(await signIn(overtaken))
  const again = await optionsToSignIn()
  const both = await Promise.all([signIn(authenticator.get(again)), signIn(authenticator.get(again))])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
})

test.each([
  ['blocked', 403],
  ['erased', 401],
])(
  'when an account is %s in the middle, then no passkey is added, and none signs in',
  async (what, status) => {
    const { person, user, accessToken, authenticator } = await withPasskey()
    const [toAdd, toSignIn] = [await optionsToAdd(accessToken), await optionsToSignIn()]
    if (what === 'blocked') await auth.operator('block', { who: user.id, reason: 'spam' })
    else await auth.erase(person.password, accessToken)
    expect((await add(createAuthenticator(PUBLIC_URL).create(toAdd), accessToken)).status).toBe(401)
    expect((await signIn(authenticator.get(toSignIn))).status).toBe(status)
  },
)

test('when an account loses its number in the middle, then its passkey signs in to what is left', async () => {
  const { user, authenticator } = await withPasskey()
  const options = await optionsToSignIn()
  await auth.disown(user.id)
  expect((await signIn(authenticator.get(options))).body.data.user.id).toBe(user.id)
})

test('when a challenge is older than its time, then it is refused', async () => {
  const { authenticator } = await withPasskey()
  const options = await optionsToSignIn()
  expect(options.timeout).toBe(300_000)
  const before = { $set: { expiresAt: new Date(Date.now() - 1) } }
  await auth.stored('passes').updateMany({}, before)
  expectRefused(await signIn(authenticator.get(options)))
})

test('when a challenge or a passkey is another account’s, then it is refused', async () => {
  const ada = await withPasskey()
  const grace = await withPasskey()
  const made = createAuthenticator(PUBLIC_URL).create(await optionsToAdd(ada.accessToken))
  expectRefused(await add(made, grace.accessToken), 400)
  // Ada's credential, created for Grace's challenge.
  const again = ada.authenticator.create(await optionsToAdd(grace.accessToken))
  expectRefused(await add(again, grace.accessToken), 400)
  expect(await listed(grace.accessToken)).toHaveLength(1)
  const userHandle = Buffer.from(grace.user.id).toString('base64url')
  expectRefused(await signIn(ada.authenticator.get(await optionsToSignIn(), { userHandle })))
  const { id } = grace.authenticator
  expectRefused(await signIn(ada.authenticator.get(await optionsToSignIn(), { id, userHandle })))
})

test.each([
  ['nothing', undefined],
  ['no object', 'yes'],
  ['an answer without its parts', { id: 'x', rawId: 'x', type: 'public-key', response: {} }],
])('when the answer is %s, then that is bad input', async (_what, response) => {
  const { accessToken } = await auth.signedUp()
  expect((await signIn(response)).status).toBe(400)
  expect((await add(response, accessToken)).status).toBe(400)
})

test('when the parts of an answer are no such parts, then it is refused', async () => {
  const { accessToken } = await auth.signedUp()
  const parts = {
    clientDataJSON: 'bnVsbA',
    attestationObject: 'oA',
    authenticatorData: 'AA',
    signature: 'AA',
  }
  const response = { id: 'eA', rawId: 'eA', type: 'public-key', response: { ...parts, userHandle: 'eA' } }
  expectRefused(await signIn(response))
  expectRefused(await add(response, accessToken), 400)
})

test('when the password is new, then passkeys of before end, as keys do', async () => {
  const { person, authenticator } = await withPasskey()
  await auth.reset(await auth.resetToken(person.email), 'another horse')
  expectRefused(await signIn(authenticator.get(await optionsToSignIn())))
  const { body } = await auth.login(person.email, 'another horse')
  expect(await listed(body.data.accessToken)).toEqual([])
})

test('when the password is removed, then only passkeys sign in, the last one stays, and the mail of a forgotten one brings it back', async () => {
  const { person, user, accessToken, authenticator } = await withPasskey()
  const remove = (password: string, token = accessToken) =>
    auth.send('DELETE', '/users/password', { password }, token)
  expect((await remove('not it')).status).toBe(403)
  expect((await remove(person.password)).status).toBe(200)
  const removed = auth.others.sent('PasswordRemoved').filter(({ data }) => data.userId === user.id)
  expect(removed).toHaveLength(1)
  expect((await auth.userOf(accessToken)).without_password).toBe(true)
  for (const password of [person.password, ''])
    expect((await auth.login(person.email, password)).status).not.toBe(200)
  expect((await auth.login(person.email, person.password)).status).toBe(401)
  expect((await remove(person.password)).status).toBe(403)
  expect((await auth.erase(person.password, accessToken)).status).toBe(403)

  const last = () => auth.delete(`/users/passkeys/${authenticator.id}`, accessToken)
  const refused = await last()
  expect([refused.status, refused.body.code]).toEqual([409, 'no_other_way'])
  expect((await signIn(authenticator.get(await optionsToSignIn()))).status).toBe(200)
  await add(createAuthenticator(PUBLIC_URL).create(await optionsToAdd(accessToken)), accessToken)
  expect((await last()).status).toBe(200)

  await auth.reset(await auth.resetToken(person.email), 'another horse')
  const { body } = await auth.login(person.email, 'another horse')
  expect(body.data.user.without_password).toBeUndefined()
  const withoutPasskey = await remove('another horse', body.data.accessToken)
  expect([withoutPasskey.status, withoutPasskey.body.code]).toEqual([409, 'no_other_way'])
})

test('when an account is blocked, then its passkey says so; when it is erased, then nothing of it is left', async () => {
  const { person, user, accessToken, authenticator } = await withPasskey()
  await auth.operator('block', { who: user.id, reason: 'spam' })
  const blocked = await signIn(authenticator.get(await optionsToSignIn()))
  expect([blocked.status, blocked.body.code]).toEqual([403, 'account_blocked'])
  await auth.operator('unblock', { who: user.id })
  const { body } = await signIn(authenticator.get(await optionsToSignIn()))
  await optionsToAdd(body.data.accessToken)
  expect((await auth.exported(user.id)).passkeys).toMatchObject([{ id: authenticator.id, name: 'Phone' }])
  expect((await auth.erase(person.password, body.data.accessToken)).status).toBe(200)
  await eventually(async () => (await auth.storedUser(user.id)) === null)
  for (const name of ['passkeys', 'passes'])
    expect(await auth.stored(name).countDocuments({ userId: user.id })).toBe(0)
  expectRefused(await signIn(authenticator.get(await optionsToSignIn())))
  expect((await auth.get('/users/passkeys', accessToken)).status).toBe(401)
})

test('when a person has twenty passkeys, then there is no room for another one', async () => {
  const { accessToken } = await withPasskey()
  const more = async () =>
    add(createAuthenticator(PUBLIC_URL).create(await optionsToAdd(accessToken)), accessToken)
  const answers = await Promise.all(Array.from({ length: 20 }, more))
  expect(
    answers
      .map(({ status }) => status)
      .sort()
      .slice(-2),
  ).toEqual([201, 409])
  expect(await listed(accessToken)).toHaveLength(20)
})

test('when tries come too fast from one address, then they are refused for a while', async () => {
  const strict = await startAuth({ PUBLIC_URL, RATE_LIMITS: 'on', RATE_LIMIT_LOGIN_ADDRESS: '2/15m' })
  try {
    const answer = createAuthenticator(PUBLIC_URL).get({ challenge: 'eA' }, { userHandle: 'eA' })
    const tries = async (path: string, body: object) => {
      const answers = []
      for (let n = 0; n < 3; n++) answers.push((await strict.post(path, body)).status)
      return answers
    }
    expect(await tries('/auth/passkey/options', {})).toEqual([200, 200, 429])
    expect(await tries('/auth/passkey', { response: answer })).toEqual([401, 401, 429])
  } finally {
    await strict.stop()
  }
})

test('when the product’s address is of digits, then there are no passkeys', async () => {
  const local = await startAuth({ PUBLIC_URL: 'http://127.0.0.1:8080' })
  try {
    const { status, body } = await local.post('/auth/passkey/options', {})
    expect([status, body.code]).toEqual([409, 'passkeys_off'])
  } finally {
    await local.stop()
  }
})
