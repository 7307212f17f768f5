import { eventually } from '@voxscribe/service/testing'
import { type Auth, newPerson, startAuth } from '../testing.ts'

let auth: Auth
beforeAll(async () => {
  auth = await startAuth({ PUBLIC_URL: 'https://voxscribe.example' })
})
afterAll(() => auth.stop())

const SEVEN_DAYS_MS = 7 * 86_400_000
const login = (email: string, password: string) => auth.post('/auth/login', { email, password })
const undo = (token: string) => auth.post('/auth/undo-email', { token })
const changesFrom = (email: string) =>
  auth.others.sent('EmailChanged').filter(event => event.data.oldEmail === email)
const resetsFor = (email: string) =>
  auth.others.sent('PasswordResetRequested').filter(event => event.data.email === email)
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''

/** Changes the address and returns the token that the old mailbox gets. */
async function moveTo(email: string, accessToken: string, from: string): Promise<string> {
  const before = changesFrom(from).length
  expect((await auth.put('/users/profile', { email }, accessToken)).status).toBe(200)
  const { data } = await eventually(() => changesFrom(from)[before])
  return tokenOf(data.undoLink)
}

async function resetBy(email: string, newPassword: string) {
  const before = resetsFor(email).length
  await auth.post('/auth/forgot-password', { email })
  const { data } = await eventually(() => resetsFor(email)[before])
  return auth.post('/auth/reset-password', { token: tokenOf(data.resetLink), newPassword })
}

test('when the e-mail changes, then the old address is told at once, with a link that only it gets', async () => {
  const { person, user, accessToken } = await auth.signedUp()
  const token = await moveTo(`new-${person.email}`, accessToken, person.email)
  expect(changesFrom(person.email).map(event => event.data)).toEqual([
    {
      userId: user.id,
      oldEmail: person.email,
      newEmail: `new-${person.email}`,
      firstName: 'Ada',
      undoLink: expect.stringMatching(/^https:\/\/voxscribe\.example\/undo-email\?token=[\w-]{43}$/),
    },
  ])
  const stored = await auth.stored('users').findOne({ _id: user.id })
  const [change] = stored?.emailChanges ?? []
  expect(Math.abs(change.until.getTime() - Date.now() - SEVEN_DAYS_MS)).toBeLessThan(60_000)
  expect(JSON.stringify(stored?.emailChanges)).not.toContain(token)
})

test('when only the name changes, then no address is told', async () => {
  const { person, accessToken } = await auth.signedUp()
  await auth.put('/users/profile', { first_name: 'Augusta', email: person.email }, accessToken)
  await moveTo(`new-${person.email}`, accessToken, person.email)
  expect(changesFrom(person.email)).toHaveLength(1)
})

test('when a change is undone, then the old address is back, every session is over, and a reset link comes', async () => {
  const { person, user, accessToken, refreshToken } = await auth.signedUp()
  const newEmail = `new-${person.email}`
  const token = await moveTo(newEmail, accessToken, person.email)
  const { status, body } = await undo(token)
  expect([status, body.data]).toEqual([200, null])
  expect((await login(newEmail, person.password)).status).toBe(401)
  const back = await login(person.email, person.password)
  expect(back.body.data.user).toMatchObject({ id: user.id, email: person.email })
  expect((await auth.post('/auth/refresh', { refreshToken })).status).toBe(401)
  const update = await eventually(() =>
    auth.others.sent('UserUpdated').find(({ data }) => data.userId === user.id && data.revision === 2),
  )
  expect(update.data.email).toBe(person.email)
  const { data } = await eventually(() => resetsFor(person.email)[0])
  const reset = { token: tokenOf(data.resetLink), newPassword: 'only mine' }
  expect((await auth.post('/auth/reset-password', reset)).status).toBe(200)
  expect((await login(person.email, 'only mine')).status).toBe(200)
})

test('when a change was undone, then the access token of who had made it changes nothing any more', async () => {
  const { person, accessToken } = await auth.signedUp()
  await undo(await moveTo(`new-${person.email}`, accessToken, person.email))
  const again = await auth.put('/users/profile', { email: `again-${person.email}` }, accessToken)
  expect(again.status).toBe(401)
  expect((await auth.get('/users/profile', accessToken)).status).toBe(401)
})

test('when the password was reset from the new address, then the undo brings the old password back', async () => {
  const { person, accessToken } = await auth.signedUp()
  const newEmail = `thief-${person.email}`
  const token = await moveTo(newEmail, accessToken, person.email)
  expect((await resetBy(newEmail, 'now it is mine')).status).toBe(200)
  expect((await undo(token)).status).toBe(200)
  expect((await login(person.email, 'now it is mine')).status).toBe(401)
  expect((await login(person.email, person.password)).status).toBe(200)
})

test('when a reset link lies in the new mailbox, or is about to, then it opens nothing after the undo', async () => {
  const { person, accessToken } = await auth.signedUp()
  const newEmail = `thief-${person.email}`
  const token = await moveTo(newEmail, accessToken, person.email)
  await auth.post('/auth/forgot-password', { email: newEmail })
  const { data } = await eventually(() => resetsFor(newEmail)[0])
  await undo(token)
  const reset = { token: tokenOf(data.resetLink), newPassword: 'now it is mine' }
  expect((await auth.post('/auth/reset-password', reset)).status).toBe(400)
  await auth.post('/auth/forgot-password', { email: newEmail })
  await eventually(async () => (await auth.stored('reset_requests').countDocuments()) === 0)
  expect(resetsFor(newEmail)).toHaveLength(1)
})

test('when a link is used again, or five times at once, then it works once', async () => {
  const { person, user, accessToken } = await auth.signedUp()
  const token = await moveTo(`new-${person.email}`, accessToken, person.email)
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => undo(token)))
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 400, 400, 400, 400])
  const { status, body } = await undo(token)
  expect([status, body.errors]).toEqual([400, [{ field: 'token', message: 'Invalid or expired link' }]])
  await eventually(() => resetsFor(person.email)[0])
  expect(resetsFor(person.email)).toHaveLength(1)
  expect((await auth.stored('users').findOne({ _id: user.id }))?.generation).toBe(1)
})

describe('when the e-mail changes twice', () => {
  async function movedTwice() {
    const { person, user, accessToken } = await auth.signedUp()
    const [first, second, third] = [person.email, `b-${person.email}`, `c-${person.email}`]
    const toFirst = await moveTo(second, accessToken, first)
    const toSecond = await moveTo(third, accessToken, second)
    return { person, user, first, second, third, toFirst, toSecond }
  }
  const emailOf = async (id: string) => (await auth.stored('users').findOne({ _id: id as never }))?.email

  test('then each old address has a link back to itself', async () => {
    const { user, first, second, toFirst, toSecond } = await movedTwice()
    expect((await undo(toSecond)).status).toBe(200)
    expect(await emailOf(user.id)).toBe(second)
    expect((await undo(toFirst)).status).toBe(200)
    expect(await emailOf(user.id)).toBe(first)
  })

  test('then the first address has the last word: later links are void', async () => {
    const { user, first, toFirst, toSecond } = await movedTwice()
    expect((await undo(toFirst)).status).toBe(200)
    expect((await undo(toSecond)).status).toBe(400)
    expect(await emailOf(user.id)).toBe(first)
  })

  test('then both old addresses are kept from others, and are free after an undo', async () => {
    const { first, second, third, toFirst } = await movedTwice()
    const other = await auth.signedUp()
    for (const email of [first, second]) {
      const registering = await auth.post('/auth/register', { ...newPerson(), email })
      expect([registering.status, registering.body.code]).toEqual([409, 'email_taken'])
      expect((await auth.put('/users/profile', { email }, other.accessToken)).status).toBe(409)
    }
    await undo(toFirst)
    expect((await auth.put('/users/profile', { email: second }, other.accessToken)).status).toBe(200)
    expect((await auth.post('/auth/register', { ...newPerson(), email: third })).status).toBe(201)
  })
})

test('when a person goes back to their old address themselves, then it is theirs', async () => {
  const { person, accessToken } = await auth.signedUp()
  await moveTo(`new-${person.email}`, accessToken, person.email)
  await moveTo(person.email, accessToken, `new-${person.email}`)
  expect((await login(person.email, person.password)).status).toBe(200)
})

test('when seven days have passed, then the link is void and the address is free', async () => {
  const { person, user, accessToken } = await auth.signedUp()
  const token = await moveTo(`new-${person.email}`, accessToken, person.email)
  await auth
    .stored('users')
    .updateOne({ _id: user.id }, { $set: { 'emailChanges.0.until': new Date(Date.now() - 1) } })
  expect((await undo(token)).status).toBe(400)
  await eventually(
    async () => (await auth.post('/auth/register', { ...newPerson(), email: person.email })).status === 201,
  )
})

test('when the address is changed again and again, then there is an end to it', async () => {
  const { person, user, accessToken } = await auth.signedUp()
  const stored = auth.stored('users')
  await moveTo(`new-${person.email}`, accessToken, person.email)
  const [change] = (await stored.findOne({ _id: user.id }))?.emailChanges ?? []
  const emailChanges = Array.from({ length: 30 }, (_, n) => ({ ...change, tokenHash: `hash ${n}` }))
  await stored.updateOne({ _id: user.id }, { $set: { emailChanges } })
  const refused = await auth.put('/users/profile', { email: `newer-${person.email}` }, accessToken)
  expect([refused.status, refused.body.code]).toEqual([429, 'too_many_email_changes'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(6 * 86_400)
  expect((await auth.put('/users/profile', { first_name: 'Augusta' }, accessToken)).status).toBe(200)
})

test.each([
  ['made up', 'Invalid or expired link'],
  ['', 'Invalid or expired link'],
  ['x'.repeat(501), 'Invalid or expired link'],
  [null, 'Invalid or expired link'],
])('when the token is %.10j, then 400', async (token, message) => {
  const { status, body } = await undo(token as string)
  expect([status, body.errors]).toEqual([400, [{ field: 'token', message }]])
})
