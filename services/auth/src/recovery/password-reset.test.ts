import { eventually } from '@voxscribe/service/testing'
import { areAlike, authForAll, tokenOf } from '../testing.ts'

const auth = authForAll({ PUBLIC_URL: 'https://voxscribe.example' })

const forgot = (email: string) => auth.post('/auth/forgot-password', { email })

test('when a person forgot the password, then a mail with a link to the reset page is asked for', async () => {
  const { person, user } = await auth.signedUp()
  const { status, body } = await forgot(person.email)
  expect(status).toBe(200)
  expect(body.message).toBe(
    `If an account exists for ${person.email}, you will receive an email with instructions on how to reset your password.`,
  )
  const { data } = await eventually(() => auth.resetsFor(person.email)[0])
  expect(data).toEqual({
    userId: user.id,
    email: person.email,
    firstName: 'Ada',
    resetLink: expect.stringMatching(/^https:\/\/voxscribe\.example\/reset-password\?token=[\w-]{43}$/),
    validSeconds: 3600,
  })
  const stored = await auth.storedUser(user.id)
  expect(stored?.resets).toHaveLength(1)
  expect(JSON.stringify(stored?.resets)).not.toContain(tokenOf(data.resetLink))
})

test('when the password is reset, then only the new one works, and all sessions are over', async () => {
  const { person, user, accessToken, refreshToken } = await auth.signedUp()
  const elsewhere = await auth.login(person.email, person.password)
  expect((await auth.get('/users/profile', accessToken)).status).toBe(200)
  const { status, body } = await auth.reset(await auth.resetToken(person.email), 'sixsix')
  expect([status, body.data]).toEqual([200, null])
  expect((await auth.login(person.email, person.password)).status).toBe(401)
  expect((await auth.login(person.email, 'sixsix')).status).toBe(200)
  for (const token of [refreshToken, elsewhere.body.data.refreshToken])
    expect((await auth.post('/auth/refresh', { refreshToken: token })).status).toBe(401)
  // However the token is written.
  for (const token of [accessToken, `${accessToken} x`, ` ${accessToken}`])
    expect((await auth.get('/users/profile', token)).body.message).toBe('Unauthorized')
  const [update] = await eventually(() => auth.updatesOf(user.id))
  expect(update?.data).toMatchObject({ generation: 1, passwordGeneration: 1 })
  expect(update?.data.linkCode).not.toBe(user.link_code)
  const told = auth.others.sent('PasswordChanged').filter(({ data }) => data.userId === user.id)
  expect(told.map(({ data }) => data.email)).toEqual([person.email])
})

test('when a session slipped in beside the reset, then its generation ends it', async () => {
  const { person, user, refreshToken } = await auth.signedUp()
  await auth.setUser(user.id, { $inc: { generation: 1 } })
  expect((await auth.post('/auth/refresh', { refreshToken })).status).toBe(401)
  expect((await auth.login(person.email, person.password)).status).toBe(200)
})

test('when a token was used, or another of the same account was, then it is refused', async () => {
  const { person } = await auth.signedUp()
  const first = await auth.resetToken(person.email)
  const second = await auth.resetToken(person.email)
  expect((await auth.reset(first, 'password one')).status).toBe(200)
  for (const token of [first, second]) {
    const { status, body } = await auth.reset(token, 'password two')
    expect([status, body.message]).toEqual([400, 'Invalid or expired reset token'])
  }
  expect((await auth.login(person.email, 'password one')).status).toBe(200)
})

test('when a token is used five times at once, then one password wins', async () => {
  const { person } = await auth.signedUp()
  const token = await auth.resetToken(person.email)
  const answers = await Promise.all([1, 2, 3, 4, 5].map(n => auth.reset(token, `password ${n}`)))
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 400, 400, 400, 400])
})

test('when the e-mail address was changed, then links in the old mailbox open nothing', async () => {
  const { person, accessToken } = await auth.signedUp()
  const token = await auth.resetToken(person.email)
  await auth.put('/users/profile', { email: `new-${person.email}` }, accessToken)
  expect((await auth.reset(token, 'new password')).status).toBe(400)
})

test('when an hour has passed, then the token is refused', async () => {
  const { person, user } = await auth.signedUp()
  const token = await auth.resetToken(person.email)
  const stored = await auth.storedUser(user.id)
  const leftMs = stored?.resets[0].expiresAt.getTime() - Date.now()
  expect(Math.abs(leftMs - 3_600_000)).toBeLessThan(60_000)
  await auth.setUser(user.id, { $set: { 'resets.0.expiresAt': new Date(Date.now() - 1) } })
  expect((await auth.reset(token, 'new password')).body.message).toBe('Invalid or expired reset token')
})

test.each([
  ['token', 'made up', 'long enough', 'Invalid or expired reset token'],
  ['token', '', 'long enough', 'Invalid or missing reset token'],
  ['newPassword', 'made up', 'five5', 'Password must be at least 6 characters long'],
  ['newPassword', 'made up', 'x'.repeat(201), 'Password must be at most 200 characters long'],
])('when %s is %j with a password like %.10j, then 400 says why', async (field, token, password, message) => {
  const { status, body } = await auth.reset(token, password)
  expect([status, body.errors]).toMatchObject([400, [{ field, message }]])
})

test('when the address is unknown, then answer and time are the same as for a known one', async () => {
  const { person } = await auth.signedUp()
  const ask = async (email: string) => {
    const { status, body } = await forgot(email)
    return { status, ...body, message: body.message.replace(email, '…') }
  }
  expect(await ask('nobody@example.com')).toEqual(await ask(person.email))
  const alike = areAlike(
    1.5,
    () => ask(person.email),
    () => ask('nobody@example.com'),
  )
  expect(await alike).toBe(true)
  await eventually(async () => (await auth.stored('reset_requests').countDocuments()) === 0)
  expect(auth.resetsFor(person.email).length).toBeGreaterThanOrEqual(11)
})
