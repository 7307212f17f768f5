import { eventually } from '@voxscribe/service/testing'
import { authForAll, startAuth, tokenOf } from '../testing.ts'
import { createProgram, ISSUER, pkce, REDIRECT } from './testing.ts'

const auth = authForAll()
let program: ReturnType<typeof createProgram>
beforeAll(() => {
  program = createProgram(auth)
})
const person = () => auth.signedUp()

test('when a program looks for the server, then its document names our addresses, whatever the caller says', async () => {
  const headers = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
  const at = `${auth.url}/.well-known/oauth-authorization-server`
  expect((await fetch(`${at}/`)).status).toBe(404)
  const answer = await fetch(at, { headers })
  expect(await answer.json()).toEqual({
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/oauth/authorize`,
    token_endpoint: `${ISSUER}/oauth/token`,
    registration_endpoint: `${ISSUER}/oauth/register`,
    revocation_endpoint: `${ISSUER}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['read', 'write'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  })
})

test('when a person lets a program in, then it gets tokens for what was shown, which are kept as hashes', async () => {
  const { accessToken, user } = await person()
  const registered = await program.register()
  expect(registered).toMatchObject({
    status: 201,
    body: {
      client_id: expect.any(String),
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  })
  const { client_id: clientId } = registered.body
  expect(registered.body).not.toHaveProperty('client_secret')
  const { verifier, challenge } = pkce()
  const asked = await program.authorize(clientId, { scope: 'read write admin openid' }, challenge)
  expect([asked.status, asked.to]).toEqual([303, `/connect/${asked.uid}`])
  const question = await auth.get(`/oauth/interactions/${asked.uid}`, accessToken)
  expect(question.status).toBe(404)
  const shown = await fetch(`${auth.url}/api/oauth/interactions/${asked.uid}`, {
    headers: { authorization: `Bearer ${accessToken}`, cookie: asked.cookies.join('; ') },
  })
  expect((await shown.json()).data).toEqual({
    client: { name: 'Claude', host: '127.0.0.1:4711', redirectHost: '127.0.0.1:4711', verified: false },
    scopes: ['read', 'write'],
    resource: `${ISSUER}/mcp`,
    expires: expect.any(String),
  })
  const { status, back } = await program.answer(asked.uid, asked.cookies, accessToken)
  expect([status, `${back.origin}${back.pathname}`]).toEqual([303, REDIRECT])
  expect(Object.fromEntries(back.searchParams)).toEqual({
    code: expect.any(String),
    state: 'st',
    iss: ISSUER,
  })
  const code = back.searchParams.get('code')!
  const { body } = await program.exchange(clientId, code, verifier)
  expect(body).toEqual({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_in: 3600,
    scope: 'read write',
    token_type: 'Bearer',
  })
  const used = await program.use(body.access_token, 'mcp', 'write')
  expect(used).toMatchObject({ status: 200, body: { data: { userId: user.id, scopes: ['read', 'write'] } } })
  expect((await program.use(body.access_token, 'v1')).status).toBe(401)
  const kept = JSON.stringify(await auth.stored('oauth').find().toArray())
  for (const secret of [code, body.access_token, body.refresh_token]) expect(kept).not.toContain(secret)
  const [grant] = (await auth.get('/oauth/grants', accessToken)).body.data.grants
  expect(grant).toEqual({
    id: expect.any(String),
    name: 'Claude',
    host: '127.0.0.1:4711',
    scopes: ['read', 'write'],
    resource: `${ISSUER}/mcp`,
    createdAt: expect.any(String),
    lastUsedAt: expect.any(String),
  })
  expect((await auth.delete(`/oauth/grants/${grant.id}`, (await person()).accessToken)).status).toBe(404)
  expect((await auth.delete(`/oauth/grants/${grant.id}`, accessToken)).status).toBe(200)
  expect((await program.use(body.access_token)).status).toBe(401)
  expect((await program.refresh(clientId, body.refresh_token)).body.error).toBe('invalid_grant')
})

test('when a program comes again for more, then it is one line, and ending it ends both', async () => {
  const { accessToken } = await person()
  const first = await program.connect(accessToken)
  const { verifier, challenge } = pkce()
  const { uid, cookies } = await program.authorize(first.clientId, { scope: 'read write' }, challenge)
  const { back } = await program.answer(uid, cookies, accessToken)
  const { body } = await program.exchange(first.clientId, back.searchParams.get('code')!, verifier)
  const other = await program.connect(accessToken)
  await program.use(first.access)
  const lines = (await auth.get('/oauth/grants', accessToken)).body.data.grants
  expect(lines).toMatchObject([
    { scopes: ['read'], lastUsedAt: null },
    { scopes: ['read', 'write'], lastUsedAt: expect.any(String) },
  ])
  expect(lines[0].createdAt > lines[1].createdAt).toBe(true)
  expect((await program.use(body.access_token, 'mcp', 'write')).status).toBe(200)
  expect((await program.use(first.access, 'mcp', 'write')).status).toBe(403)
  expect((await auth.delete(`/oauth/grants/${lines[1].id}`, accessToken)).status).toBe(200)
  for (const access of [first.access, body.access_token]) expect((await program.use(access)).status).toBe(401)
  expect((await program.use(other.access)).status).toBe(200)
})

describe('when a code is exchanged', () => {
  test('a second time, then the connection ends', async () => {
    const { accessToken } = await person()
    const { clientId, code, verifier, access, refresh } = await program.connect(accessToken)
    expect((await program.exchange(clientId, code, verifier)).body.error).toBe('invalid_grant')
    expect((await program.use(access)).status).toBe(401)
    expect((await program.refresh(clientId, refresh)).body.error).toBe('invalid_grant')
    expect((await auth.get('/oauth/grants', accessToken)).body.data.grants).toEqual([])
  })
  test('twice at once, then no token of it works', async () => {
    const { clientId, code, verifier } = await program.letIn((await person()).accessToken)
    const both = await Promise.all([
      program.exchange(clientId, code, verifier),
      program.exchange(clientId, code, verifier),
    ])
    for (const { body } of both)
      if (body.access_token) expect((await program.use(body.access_token)).status).toBe(401)
    expect(both.map(({ body }) => body.error)).toContain('invalid_grant')
  })
  test.each([
    ['with another verifier', { code_verifier: pkce().verifier }],
    ['without a verifier', { code_verifier: '' }],
    ['for another address', { redirect_uri: 'http://127.0.0.1:4711/other' }],
    ['for another resource', { resource: `${ISSUER}/v1` }],
  ])('%s, then it is refused', async (_, more) => {
    const { clientId, code, verifier } = await program.letIn((await person()).accessToken)
    const { status, body } = await program.exchange(clientId, code, verifier, more)
    expect(status).toBe(400)
    expect(body.error).toMatch(/^invalid_(grant|target|request)$/)
  })
  test('by another program, then it is refused', async () => {
    const { code, verifier } = await program.letIn((await person()).accessToken)
    const { client_id } = (await program.register()).body
    expect((await program.exchange(client_id, code, verifier)).body.error).toBe('invalid_grant')
  })
})

describe('when a refresh token', () => {
  test('is exchanged, then the next one takes its place, and its reuse ends the connection', async () => {
    const { clientId, refresh } = await program.connect((await person()).accessToken)
    const next = (await program.refresh(clientId, refresh)).body
    expect((await program.use(next.access_token)).status).toBe(200)
    expect(next.refresh_token).not.toBe(refresh)
    expect((await program.refresh(clientId, refresh)).body.error).toBe('invalid_grant')
    expect((await program.use(next.access_token)).status).toBe(401)
    expect((await program.refresh(clientId, next.refresh_token)).body.error).toBe('invalid_grant')
  })
  test('is exchanged twice at once, then no token of the connection works', async () => {
    const { clientId, refresh } = await program.connect((await person()).accessToken)
    const both = await Promise.all([program.refresh(clientId, refresh), program.refresh(clientId, refresh)])
    expect(both.map(({ body }) => body.error)).toContain('invalid_grant')
    for (const { body } of both)
      if (body.access_token) expect((await program.use(body.access_token)).status).toBe(401)
  })
  test('is exchanged in two processes at once, then no token of the connection works', async () => {
    const twin = await auth.replica()
    const { clientId, refresh } = await program.connect((await person()).accessToken)
    const both = await Promise.all(
      [program, createProgram(twin)].map(each => each.refresh(clientId, refresh)),
    )
    expect(both.map(({ body }) => body.error)).toContain('invalid_grant')
    for (const { body } of both) {
      if (!body.access_token) continue
      expect((await program.use(body.access_token)).status).toBe(401)
      expect((await program.refresh(clientId, body.refresh_token)).body.error).toBe('invalid_grant')
    }
    await twin.stop()
  })
  test('asks for more than the person has allowed, then it is refused', async () => {
    const { clientId, refresh } = await program.connect((await person()).accessToken)
    expect((await program.refresh(clientId, refresh, { scope: 'read write' })).body.error).toBe(
      'invalid_scope',
    )
  })
  test('asks for another resource, then it is refused and still works for its own', async () => {
    const { clientId, refresh } = await program.connect((await person()).accessToken)
    const other = await program.refresh(clientId, refresh, { resource: `${ISSUER}/v1` })
    expect(other).toMatchObject({ status: 400, body: { error: 'invalid_target' } })
    const { body } = await program.refresh(clientId, refresh, { resource: `${ISSUER}/mcp` })
    expect((await program.use(body.access_token)).status).toBe(200)
  })
  test('is given back by its program, then the connection ends; by another program nothing does', async () => {
    const { clientId, access, refresh } = await program.connect((await person()).accessToken)
    const other = (await program.register()).body.client_id
    await program.form('/oauth/revoke', { client_id: other, token: refresh })
    expect((await program.use(access)).status).toBe(200)
    await program.form('/oauth/revoke', { client_id: clientId, token: refresh })
    expect((await program.use(access)).status).toBe(401)
  })
})

test('when a program registers, then only public ones with safe addresses are taken', async () => {
  const refused = async (more: object) => (await program.register(more)).body.error
  expect(await refused({ redirect_uris: [] })).toBe('invalid_redirect_uri')
  const many = Array.from({ length: 11 }, (_, n) => `https://example.com/${n}`)
  expect(await refused({ redirect_uris: many })).toBe('invalid_redirect_uri')
  for (const address of [
    'http://example.com/callback',
    'http://127.0.0.1.evil.example/',
    'http://user@127.0.0.1/',
    'https://example.com/#part',
    'cursor://callback',
    'javascript:alert(1)',
    `https://example.com/${'x'.repeat(2_000)}`,
    'callback',
    7,
  ])
    expect([address, await refused({ redirect_uris: [address] })]).toEqual([address, 'invalid_redirect_uri'])
  for (const more of [
    { client_name: 'x'.repeat(101) },
    { token_endpoint_auth_method: 'client_secret_post' },
    { grant_types: ['client_credentials'] },
    { response_types: ['token'] },
  ])
    expect([more, await refused(more)]).toEqual([more, 'invalid_client_metadata'])
  const native = {
    application_type: 'native',
    redirect_uris: ['http://localhost/x', 'https://example.com/x'],
  }
  expect((await program.register({ ...native, scope: 'openid profile' })).status).toBe(201)
})

describe('when a program sends the browser', () => {
  let clientId: string
  beforeAll(async () => {
    const redirect_uris = [REDIRECT, 'https://example.com/callback', 'http://localhost/callback']
    clientId = (await program.register({ redirect_uris })).body.client_id
  })
  test.each([
    ['http://127.0.0.1:9/callback'],
    ['http://127.0.0.1/callback'],
    ['http://localhost:5000/callback'],
    ['https://example.com/callback'],
  ])('with %s, then a person is asked', async redirect_uri => {
    expect((await program.authorize(clientId, { redirect_uri })).to).toMatch(/^\/connect\//)
  })
  test.each([
    ['http://127.0.0.1:4711/other'],
    ['http://127.0.0.1:99999/callback'],
    ['http://127.0.0.1:4711/callback?x=1'],
    ['http://127.0.0.1:4711/callback/'],
    ['http://[::1]:4711/callback'],
    ['https://127.0.0.1:4711/callback'],
    ['https://example.com:444/callback'],
    ['https://example.com/callback#x'],
    ['http://127.0.0.1:4711@evil.example/callback'],
  ])('with %s, then it goes nowhere', async redirect_uri => {
    const answer = await program.authorize(clientId, { redirect_uri })
    expect([answer.status, answer.to]).toEqual([400, ''])
    expect(answer.text).toContain('This program can’t be connected')
  })
  test('without being known, then it goes nowhere', async () => {
    expect(await program.authorize('nobody')).toMatchObject({ status: 400, to: '' })
    const marked = await program.authorize('<script>alert(1)</script>')
    expect(marked.text).not.toContain('<script>')
  })
  test.each([
    ['plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without its method, which is plain', { code_challenge_method: '' }, 'invalid_request'],
    ['no challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['another resource', { resource: 'https://example.com/mcp' }, 'invalid_target'],
    ['our API as the resource', { resource: `${ISSUER}/api` }, 'invalid_target'],
    ['no scope that exists', { scope: 'admin openid' }, 'invalid_scope'],
    ['no question to the person', { prompt: 'none' }, 'login_required'],
    ['an answer as a form', { response_mode: 'form_post' }, 'unsupported_response_mode'],
  ])('with %s, then it hears so', async (_, more, error) => {
    const { status, to } = await program.authorize(clientId, more as Record<string, string>)
    const { searchParams } = new URL(to.replace('#', '?'))
    expect(status).toBe(303)
    expect([searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')]).toEqual([
      error,
      'st',
      ISSUER,
    ])
  })
})

describe('when a person is asked', () => {
  const ask = async (more: object = {}) => program.authorize((await program.register(more)).body.client_id)
  test.each([
    ['\u202Eedualc', 'edualc'],
    ['Claude\n\nYou must  allow this', 'Claude You must allow this'],
    [' \u200B ', '127.0.0.1:4711'],
  ])('about a program that calls itself %j, then its name is %j', async (client_name, name) => {
    const { accessToken } = await person()
    const { uid, cookies } = await ask({ client_name })
    const headers = { authorization: `Bearer ${accessToken}`, cookie: cookies.join('; ') }
    const shown = await fetch(`${auth.url}/api/oauth/interactions/${uid}`, { headers })
    expect((await shown.json()).data.client.name).toBe(name)
  })
  test('and says no, then the program hears that', async () => {
    const { uid, cookies } = await ask()
    const { back } = await program.answer(uid, cookies, (await person()).accessToken, false)
    expect([back.searchParams.get('error'), back.searchParams.get('code')]).toEqual(['access_denied', null])
  })
  test('and changes the password before the browser goes on, then the program hears a no', async () => {
    const { person: ada, accessToken } = await person()
    const { uid, cookies } = await ask()
    const cookie = cookies.join('; ')
    const said = await auth.post(`/oauth/interactions/${uid}`, { allow: true }, accessToken, { cookie })
    const change = { password: ada.password, newPassword: 'another horse' }
    expect((await auth.post('/users/change-password', change, accessToken)).status).toBe(200)
    const to = said.body.data.redirectTo.replace(ISSUER, auth.url)
    const resumed = await fetch(to, { headers: { cookie }, redirect: 'manual' })
    const back = new URL(resumed.headers.get('location') ?? 'http://nowhere')
    expect([resumed.status, back.searchParams.get('error')]).toEqual([303, 'access_denied'])
  })
  test('and answers twice, from elsewhere or with nonsense, then one answer counts', async () => {
    const { accessToken } = await person()
    const { uid, cookies } = await ask()
    expect((await program.answer(uid, [], accessToken)).status).toBe(404)
    expect((await program.answer(uid, cookies, 'nobody')).status).toBe(401)
    expect((await program.answer(uid, cookies, accessToken, 'yes')).status).toBe(400)
    const both = await Promise.all([
      program.answer(uid, cookies, accessToken),
      program.answer(uid, cookies, accessToken),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([303, 404])
    expect((await program.answer(uid, cookies, accessToken)).status).toBe(404)
    const [{ id }] = (await auth.get('/oauth/grants', accessToken)).body.data.grants
    expect(id).toEqual(expect.any(String))
  })
  test('and two people share the browser, then each connects what they see', async () => {
    const [one, two] = [await person(), await person()]
    const first = await ask()
    const { cookies } = await program.answer(first.uid, first.cookies, one.accessToken)
    const second = await ask()
    const { back } = await program.answer(second.uid, [...cookies, ...second.cookies], two.accessToken)
    expect(back.searchParams.get('code')).toEqual(expect.any(String))
    for (const { accessToken } of [one, two])
      expect((await auth.get('/oauth/grants', accessToken)).body.data.grants).toHaveLength(1)
  })
})

test('when the product has https, then its cookies are for this question, https and no script', async () => {
  const secure = await startAuth({ PUBLIC_URL: 'https://voxscribe.test' })
  const there = createProgram(secure)
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: (await there.register()).body.client_id, redirect_uri: REDIRECT },
    ...{ code_challenge: pkce().challenge, code_challenge_method: 'S256' },
  })
  const { headers } = await fetch(`${secure.url}/oauth/authorize?${query}`, { redirect: 'manual' })
  const uid = headers.get('location')?.split('/').at(-1)
  const cookies = headers.getSetCookie()
  expect(cookies).toHaveLength(3)
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; samesite=lax; secure; httponly$/i)
    expect(cookie).toContain(`/${uid};`)
  }
  await secure.stop()
})

describe('when everything of a person ends, then so does a connection:', () => {
  async function connected() {
    const someone = await person()
    return { ...someone, ...(await program.connect(someone.accessToken)) }
  }
  type Connected = Awaited<ReturnType<typeof connected>>
  async function expectEnded({ clientId, access, refresh }: Connected) {
    expect((await program.use(access)).status).toBe(401)
    expect((await program.refresh(clientId, refresh)).body.error).toBe('invalid_grant')
  }
  test('all sessions', async () => {
    const someone = await connected()
    await auth.delete('/users/sessions', someone.accessToken)
    await expectEnded(someone)
  })
  test('the password', async () => {
    const someone = await connected()
    await auth.reset(await auth.resetToken(someone.person.email), 'another horse')
    await expectEnded(someone)
  })
  test('the password, for another one', async () => {
    const someone = await connected()
    const { password } = someone.person
    const change = { password, newPassword: 'another horse' }
    expect((await auth.post('/users/change-password', change, someone.accessToken)).status).toBe(200)
    await expectEnded(someone)
  })
  test('the address, taken back', async () => {
    const someone = await connected()
    await auth.put('/users/profile', { email: `new-${someone.person.email}` }, someone.accessToken)
    const changes = () =>
      auth.others.sent('EmailChanged').filter(({ data }) => data.userId === someone.user.id)
    const { data } = await eventually(() => changes()[0])
    expect((await auth.post('/auth/undo-email', { token: tokenOf(data.undoLink) })).status).toBe(200)
    await expectEnded(someone)
  })
  test('the number', async () => {
    const someone = await connected()
    await auth.disown(someone.user.id)
    await eventually(async () => (await program.use(someone.access)).status === 401)
    await expectEnded(someone)
  })
  test('the account, also in the middle', async () => {
    const someone = await connected()
    const { clientId, code, verifier } = await program.letIn(someone.accessToken)
    const asked = await program.authorize(clientId)
    await auth.erase(someone.person.password, someone.accessToken)
    await expectEnded(someone)
    expect((await program.exchange(clientId, code, verifier)).body.error).toBe('invalid_grant')
    expect((await program.answer(asked.uid, asked.cookies, someone.accessToken)).status).toBe(401)
    expect(await auth.stored('oauth').countDocuments({ userId: someone.user.id })).toBe(0)
  })
  test.each(['blocked', 'without its number'])('the account is %s in the middle', async what => {
    const { user, accessToken } = await person()
    const { clientId, code, verifier } = await program.letIn(accessToken)
    const asked = await program.authorize(clientId)
    if (what === 'blocked') await auth.operator('block', { who: user.id, reason: 'spam' })
    else {
      await auth.disown(user.id)
      await eventually(async () => (await auth.stored('oauth').countDocuments({ userId: user.id })) === 0)
    }
    expect((await program.exchange(clientId, code, verifier)).body.error).toBe('invalid_grant')
    if (what === 'blocked')
      expect((await program.answer(asked.uid, asked.cookies, accessToken)).status).toBe(401)
  })
  test('an operator ends it, for one person or for all', async () => {
    const [one, two] = [await connected(), await connected()]
    const { body } = await auth.operator('disconnect', { who: one.person.email })
    expect(body.data).toEqual({ ended: 1 })
    await expectEnded(one)
    expect((await program.use(two.access)).status).toBe(200)
    await auth.operator('disconnect', { who: 'all' })
    await expectEnded(two)
    expect(await auth.operator('disconnect', { who: 'nobody' })).toMatchObject({ status: 404 })
  })
  test('a block bars it, as keys', async () => {
    const someone = await connected()
    await auth.operator('block', { who: someone.person.email, reason: 'spam' })
    expect((await program.use(someone.access)).status).toBe(403)
    expect((await program.refresh(someone.clientId, someone.refresh)).body.error).toBe('invalid_grant')
  })
})
