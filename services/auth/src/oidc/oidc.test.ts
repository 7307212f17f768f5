import { eventually } from '@voxscribe/service/testing'
import { type Auth, authForAll, cookieOf, newPerson, startAuth, tokenOf } from '../testing.ts'
import { comeBack, type Person, startProvider, type TestProvider } from './testing.ts'

const provider = {} as TestProvider
const auth = {} as Auth
beforeAll(async () => {
  Object.assign(provider, await startProvider())
  Object.assign(auth, await startAuth(provider.settings))
})
afterAll(async () => {
  await auth.stop?.()
  await provider.stop?.()
})

let people = 0
/** A new person at the provider, with a verified address. */
function someone(more: Partial<Person> = {}): Person & { email: string } {
  people += 1
  return {
    sub: `person-${people}`,
    email: `grace${people}@example.com`,
    email_verified: true,
    given_name: 'Grace',
    family_name: 'Hopper',
    ...more,
  }
}
const answer = (came: object, cookie: string, at = auth) => at.post('/auth/oidc', came, undefined, { cookie })
/** Signs in as this person at the provider. */
async function enter(person: Person, at = auth) {
  provider.is(person)
  const { came, cookie } = await comeBack(at, provider)
  return answer(came, cookie, at)
}
const form = ({ email: _, password: __, ...rest } = newPerson()) => rest
/** Opens an account through the provider. */
async function registered(person = someone(), at = auth) {
  const { ticket } = (await enter(person, at)).body.data
  const { status, body } = await at.post('/auth/register', { ...form(), ticket })
  expect(status).toBe(201)
  return { person, ...(body.data as { user: { id: string; email: string }; accessToken: string }) }
}
const link = (body: object, at = auth) => at.post('/auth/oidc/link', body)
const codeOf = (said: { status: number; body: { code?: string } }) => [said.status, said.body.code]

describe('when nobody knows the person', () => {
  test('and the address is verified, then an account opens without a password, by a ticket that counts once', async () => {
    const person = someone()
    const { status, body } = await enter(person)
    expect([status, body.data]).toEqual([
      200,
      {
        next: 'register',
        ticket: expect.any(String),
        email: person.email,
        first_name: 'Grace',
        last_name: 'Hopper',
      },
    ])
    const { ticket } = body.data
    const other = { ...form(), ticket, email: 'other@example.com' }
    expect((await auth.post('/auth/register', { ...other, wtp_number: 'x' })).status).toBe(400)
    const opened = await auth.post('/auth/register', other)
    expect(opened.status).toBe(201)
    expect(opened.body.data.user).toMatchObject({ email: person.email, without_password: true })
    expect((await auth.post('/auth/register', { ...form(), ticket })).status).toBe(400)
    expect((await auth.login(person.email, 'correct horse')).status).toBe(401)
    const again = await enter({ ...person, email: 'moved@example.com' })
    expect(again.body.data.user).toMatchObject({ id: opened.body.data.user.id, email: person.email })
    expect(again.body.data.refreshToken).toBeTruthy()
    expect((await auth.exported(opened.body.data.user.id)).providers).toEqual([
      { issuer: provider.issuer, subject: person.sub },
    ])
  })

  test.each([false, 'true', 1, undefined])(
    'and email_verified is %j, then the account needs an address, and none is linked',
    async email_verified => {
      const { person: owner } = await auth.signedUp()
      const { body } = await enter(someone({ email: owner.email, email_verified }))
      expect(body.data).toMatchObject({ next: 'register', email: null })
      const { ticket } = body.data
      const register = (more: object) => auth.post('/auth/register', { ...form(), ticket, ...more })
      expect((await register({})).body.errors).toMatchObject([{ field: 'email' }])
      expect(codeOf(await register({ email: owner.email }))).toEqual([409, 'email_taken'])
      expect((await link({ ticket, password: owner.password })).status).toBe(400)
      expect((await link({ ticket, mail: true })).status).toBe(400)
      expect((await register({ email: `typed${people}@example.com` })).status).toBe(201)
    },
  )

  test('and the address only looks like another one, then it does not count', async () => {
    const { body } = await enter(someone({ email: '\u{212a}elvin@example.com' }))
    expect(body.data).toMatchObject({ next: 'register', email: null })
  })

  test('and two calls open an account at once, then one does', async () => {
    const { ticket } = (await enter(someone())).body.data
    const both = await Promise.all(
      [form(), form()].map(each => auth.post('/auth/register', { ...each, ticket })),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  test('and claims come in the id token, or a name in one piece, then they count as well', async () => {
    provider.is({ sub: 'in one piece' })
    provider.changes(token => ({
      ...token,
      email: 'Ada@Example.com',
      email_verified: true,
      name: 'Ada King Noel',
    }))
    const { came, cookie } = await comeBack(auth, provider)
    expect((await answer(came, cookie)).body.data).toMatchObject({
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'King Noel',
    })
  })
})

describe('when an account has the address', () => {
  test('then its password links it, a wrong one leaves the ticket, and others must prove it again', async () => {
    const { person, user } = await auth.signedUp()
    const grace = someone({ email: person.email })
    const { ticket, ...asked } = (await enter(grace)).body.data
    expect(asked).toEqual({ next: 'link', email: 'a•••@example.com' })
    expect(codeOf(await link({ ticket, password: 'wrong' }))).toEqual([401, 'invalid_credentials'])
    const linked = await link({ ticket, password: person.password })
    expect([linked.status, linked.body.data.user.id]).toEqual([200, user.id])
    expect((await link({ ticket, password: person.password })).status).toBe(400)
    expect((await enter(grace)).body.data.user.id).toBe(user.id)

    const second = someone({ email: person.email })
    const next = (await enter(second)).body.data
    expect(next.next).toBe('link')
    await link({ ticket: next.ticket, password: person.password })
    expect((await enter(second)).body.data.user.id).toBe(user.id)
    expect((await enter(grace)).body.data.user.id).toBe(user.id)
  })

  test('then a link in its mailbox does, once', async () => {
    const { person, user } = await auth.signedUp()
    const grace = someone({ email: person.email })
    const { ticket } = (await enter(grace)).body.data
    expect((await link({ ticket, mail: true })).body.data).toBeNull()
    const [mail] = auth.others.sent('SignInLinkRequested').filter(({ data }) => data.userId === user.id)
    expect(mail?.data).toMatchObject({ email: person.email, provider: 'Lab', validSeconds: 3_600 })
    const token = tokenOf(mail?.data.link ?? '')
    expect((await link({ ticket: token, password: person.password })).status).toBe(400)
    expect((await link({ token: ticket })).status).toBe(400)
    const linked = await link({ token })
    expect([linked.status, linked.body.data.user.id]).toEqual([200, user.id])
    expect((await link({ token })).status).toBe(400)
    expect((await enter(grace)).body.data.user.id).toBe(user.id)
  })

  test('and its password changes in between, then a link mailed before no longer works', async () => {
    const { person, accessToken } = await auth.signedUp()
    const { ticket } = (await enter(someone({ email: person.email }))).body.data
    await link({ ticket, mail: true })
    const mail = auth.others.sent('SignInLinkRequested').find(({ data }) => data.email === person.email)
    const change = { password: person.password, newPassword: 'battery staple' }
    expect((await auth.post('/users/change-password', change, accessToken)).status).toBe(200)
    expect((await link({ token: tokenOf(mail?.data.link ?? '') })).status).toBe(400)
    expect((await link({ ticket, password: 'battery staple' })).status).toBe(200)
  })

  test('and it is blocked or erased in between, then nobody gets in', async () => {
    for (const [leave, codes] of [
      [(id: string) => auth.setUser(id, { $set: { blocked: { at: new Date(), reason: 'x' } } }), [403, 403]],
      [async (_: string, token: string) => auth.erase('correct horse', token), [401, 400]],
    ] as const) {
      const { person, user, accessToken } = await auth.signedUp()
      const { ticket } = (await enter(someone({ email: person.email }))).body.data
      await link({ ticket, mail: true })
      const [mail] = auth.others.sent('SignInLinkRequested').filter(({ data }) => data.userId === user.id)
      await leave(user.id, accessToken)
      const byPassword = await link({ ticket, password: person.password })
      const byMail = await link({ token: tokenOf(mail?.data.link ?? '') })
      expect([byPassword.status, byMail.status]).toEqual(codes)
    }
  })
})

test('when a linked account is blocked, then the provider opens it no more', async () => {
  const { person, user } = await registered()
  await auth.setUser(user.id, { $set: { blocked: { at: new Date(), reason: 'x' } } })
  expect(codeOf(await enter(person))).toEqual([403, 'account_blocked'])
})

test('when a linked account loses its number in the middle, then the provider opens what is left', async () => {
  const { person, user } = await registered()
  provider.is(person)
  const { came, cookie } = await comeBack(auth, provider)
  await auth.disown(user.id)
  expect((await answer(came, cookie)).body.data.user.id).toBe(user.id)
})

test('when a linked account is erased, then its person may open another, and nothing of it is left', async () => {
  const { person, user } = await registered()
  const token = await auth.resetToken(user.email)
  await auth.reset(token, 'battery staple')
  const { body } = await auth.login(user.email, 'battery staple')
  const { ticket } = (await enter(person)).body.data
  await link({ ticket, password: 'battery staple' })
  expect((await auth.erase('battery staple', body.data.accessToken)).status).toBe(200)
  expect(JSON.stringify(await auth.storedUser(user.id))).not.toContain(person.sub)
  const opened = await registered(person)
  expect(opened.user.id).not.toBe(user.id)
})

test('when a password is chosen, then the provider opens the account only after a new proof', async () => {
  const { person, user } = await registered()
  await auth.reset(await auth.resetToken(user.email), 'battery staple')
  const { next, ticket } = (await enter(person)).body.data
  expect(next).toBe('link')
  expect((await link({ ticket, password: 'battery staple' })).body.data.user.id).toBe(user.id)
})

test('when a person has the provider, then the password can go', async () => {
  const { person } = await auth.signedUp()
  const grace = someone({ email: person.email })
  const { ticket } = (await enter(grace)).body.data
  const { accessToken, user } = (await link({ ticket, password: person.password })).body.data
  const gone = await auth.send('DELETE', '/users/password', { password: person.password }, accessToken)
  expect(gone.status).toBe(200)
  expect((await enter(grace)).body.data.user.id).toBe(user.id)
})

describe('when the browser comes back', () => {
  const over = [400, 'oidc_state']

  test('a second time, then the state is over, and the code is at the provider', async () => {
    provider.is(someone())
    const { came, cookie } = await comeBack(auth, provider)
    expect((await answer(came, cookie)).status).toBe(200)
    expect(codeOf(await answer(came, cookie))).toEqual(over)
    const next = await comeBack(auth, provider)
    expect(codeOf(await answer({ ...next.came, code: came.code }, next.cookie))).toEqual([400, 'oidc_token'])
  })

  test('with another browser’s state, then it is refused, and the other browser goes on', async () => {
    provider.is(someone())
    const [mine, others] = [await comeBack(auth, provider), await comeBack(auth, provider)]
    for (const cookie of ['', mine.cookie, others.cookie.replace(/=.*/, '=')])
      expect(codeOf(await answer(others.came, cookie))).toEqual(over)
    expect(codeOf(await answer({ ...others.came, state: 'made up' }, others.cookie))).toEqual(over)
    const both = `${mine.cookie}; ${others.cookie}`
    expect((await answer(others.came, both)).status).toBe(200)
    expect((await answer(mine.came, both)).status).toBe(200)
  })

  test('after ten minutes, then it is too late', async () => {
    provider.is(someone())
    const { came, cookie } = await comeBack(auth, provider)
    const attempts = await auth.stored('passes').find({ identity: null }).toArray()
    expect(JSON.stringify(attempts)).not.toContain(came.state)
    expect(Math.max(...attempts.map(({ expiresAt }) => expiresAt.getTime()))).toBeLessThanOrEqual(
      Date.now() + 600_000,
    )
    await auth.stored('passes').updateMany({}, { $set: { expiresAt: new Date(Date.now() - 1) } })
    expect(codeOf(await answer(came, cookie))).toEqual(over)
  })

  test.each([
    ['access_denied', 400, 'oidc_refused'],
    ['server_error', 502, 'oidc_unavailable'],
    ['temporarily_unavailable', 502, 'oidc_unavailable'],
  ])('with %s, then it says so', async (error, ...said) => {
    provider.is(someone())
    provider.refuses(error)
    const { came, cookie } = await comeBack(auth, provider)
    expect(came).toMatchObject({ error })
    expect(codeOf(await answer(came, cookie))).toEqual(said)
  })

  test.each([
    ['another issuer', (came: object) => ({ ...came, iss: 'https://evil.example' })],
    ['no issuer', ({ iss: _, ...came }: { iss?: string }) => came],
    ['neither a code nor an error', ({ code: _, ...came }: { code?: string }) => came],
  ])('with %s, then it is refused', async (_what, changed) => {
    provider.is(someone())
    const { came, cookie } = await comeBack(auth, provider)
    expect(codeOf(await answer(changed(came), cookie))).toEqual([400, 'oidc_token'])
  })
})

const HOUR = 3_600
test.each([
  ['has a stranger’s signature', () => provider.isSignedByAStranger()],
  ['is of another issuer', () => provider.changes(token => ({ ...token, iss: 'https://evil.example' }))],
  ['is for another program', () => provider.changes(token => ({ ...token, aud: 'other' }))],
  ['has another nonce', () => provider.changes(token => ({ ...token, nonce: 'other' }))],
  ['has no nonce', () => provider.changes(({ nonce: _, ...token }) => token)],
  [
    'is of a clock an hour ahead',
    () => provider.changes(token => ({ ...token, iat: token.iat + HOUR, exp: token.exp + HOUR })),
  ],
  [
    'is of a clock an hour behind',
    () => provider.changes(token => ({ ...token, iat: token.iat - HOUR, exp: token.exp - HOUR })),
  ],
  ['has an endless subject', () => provider.changes(token => ({ ...token, sub: 'x'.repeat(256) }))],
])('when the id token %s, then nobody is signed in', async (_what, tamper) => {
  provider.is(someone())
  tamper()
  const { came, cookie } = await comeBack(auth, provider)
  expect(codeOf(await answer(came, cookie))).toEqual([400, 'oidc_token'])
})

test('when the keys of the provider rotate between two sign-ins, then both work', async () => {
  const { person, user } = await registered()
  provider.rotates()
  expect((await enter(person)).body.data.user.id).toBe(user.id)
})

test('when the provider is away, then only signing in by it is 502', async () => {
  const { person } = await auth.signedUp()
  provider.is(someone())
  const { came, cookie } = await comeBack(auth, provider)
  provider.goesAway()
  expect(codeOf(await answer(came, cookie))).toEqual([502, 'oidc_unavailable'])
  expect(codeOf(await auth.post('/auth/oidc/start', {}))).toEqual([502, 'oidc_unavailable'])
  expect((await auth.login(person.email, person.password)).status).toBe(200)
})

test.each([
  ['/auth/oidc', {}],
  ['/auth/oidc', { state: { $gt: '' }, code: 'x' }],
  ['/auth/oidc/link', {}],
  ['/auth/oidc/link', { ticket: 'x' }],
  ['/auth/oidc/link', { password: 'x' }],
  ['/auth/oidc/link', { ticket: { $gt: '' }, password: { $ne: null } }],
])('when %s gets %j, then 400', async (path, body) => {
  expect((await auth.post(path, body)).status).toBe(400)
})

describe('when there is no provider', () => {
  const other = authForAll()

  test('then its calls say so', async () => {
    expect(codeOf(await other.post('/auth/oidc/start', {}))).toEqual([409, 'oidc_off'])
    expect(codeOf(await answer({ state: 'x', code: 'x' }, '', other))).toEqual([409, 'oidc_off'])
    expect(codeOf(await link({ token: 'x' }, other))).toEqual([409, 'oidc_off'])
  })
})

async function withSettings(settings: object, work: (at: Auth) => Promise<void>) {
  const at = await startAuth({ ...provider.settings, ...settings })
  await work(at).finally(() => at.stop())
}

test('when there are no passwords, then their calls are 403, and the provider opens, links and erases', () =>
  withSettings({ OIDC_ONLY: 'on' }, async at => {
    const { accessToken, user } = await registered(someone(), at)
    for (const said of [
      await at.post('/auth/register', newPerson()),
      await at.login(user.email, 'x'),
      await at.post('/auth/forgot-password', { email: user.email }),
      await at.reset('x', 'battery staple'),
      await at.post('/users/change-password', { password: 'x', newPassword: 'battery staple' }, accessToken),
      await at.send('DELETE', '/users/password', { password: 'x' }, accessToken),
    ])
      expect(codeOf(said)).toEqual([403, 'oidc_only'])
    const erase = () => at.send('DELETE', '/users/account', {}, accessToken)
    await at.stored('sessions').updateMany({}, { $set: { createdAt: new Date(Date.now() - 601_000) } })
    expect(codeOf(await erase())).toEqual([403, 'sign_in_again'])
    await at.stored('sessions').updateMany({}, { $set: { createdAt: new Date() } })
    expect((await erase()).status).toBe(200)
  }))

test('when there are no passwords, then a restored address gets no link to a new one, and the provider opens it', () =>
  withSettings({ OIDC_ONLY: 'on' }, async at => {
    const { person, accessToken, user } = await registered(someone(), at)
    await at.put('/users/profile', { email: 'moved-away@example.com' }, accessToken)
    const changed = await eventually(() =>
      at.others.sent('EmailChanged').find(({ data }) => data.userId === user.id),
    )
    const undone = await at.post('/auth/undo-email', { token: tokenOf(changed.data.undoLink) })
    expect(undone.body.message).toBe('Your email address is back. Everyone is signed out.')
    expect(at.others.sent('PasswordResetRequested')).toEqual([])
    expect(await at.storedUser(user.id)).toMatchObject({ email: person.email, resets: [] })
    expect((await enter(person, at)).body.data).toMatchObject({ next: 'link' })
  }))

test('when no accounts are taken, then none by the provider either, and those that are there link and sign in', () =>
  withSettings({ SIGN_UP: 'closed' }, async at => {
    const { ticket } = (await enter(someone(), at)).body.data
    expect(codeOf(await at.post('/auth/register', { ...form(), ticket }))).toEqual([403, 'sign_up_closed'])
  }))

test('when accounts need an invitation, then a verified address has it, and any other brings its token', () =>
  withSettings({ SIGN_UP: 'invited' }, async at => {
    const invite = async (email: string) => (await at.operator('invite', { email })).body
    const grace = someone()
    const { ticket } = (await enter(grace, at)).body.data
    const register = (more: object) => at.post('/auth/register', { ...form(), ticket, ...more })
    expect(codeOf(await register({}))).toEqual([403, 'sign_up_invited'])
    await invite(grace.email)
    expect((await register({})).status).toBe(201)

    const unverified = (await enter(someone({ email_verified: false }), at)).body.data
    const email = 'typed@example.com'
    const made = await invite(email)
    const token = /invite=([\w-]+)/.exec(JSON.stringify(made))?.[1]
    const typed = { ...form(), ticket: unverified.ticket, email }
    expect(codeOf(await at.post('/auth/register', typed))).toEqual([403, 'sign_up_invited'])
    expect((await at.post('/auth/register', { ...typed, invite: token })).status).toBe(201)
  }))

test('when a cookie of an attempt is set, then scripts cannot read it, and it lasts ten minutes', async () => {
  const { headers } = await auth.post('/auth/oidc/start', {})
  expect(cookieOf(headers)).toMatch(/^voxscribe_oidc_/)
  expect(headers.getSetCookie()[0]).toContain('; Path=/api/auth/oidc; Max-Age=600; HttpOnly; SameSite=Lax')
})
