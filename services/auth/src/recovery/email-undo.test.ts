import { eventually } from '@voxscribe/service/testing'
import { changeProfile } from '../accounts/profile-change.ts'
import { callerOf } from '../sessions/caller.ts'
import { authForAll, newPerson, tokenOf } from '../testing.ts'

const auth = authForAll({ PUBLIC_URL: 'https://voxscribe.example' })

const SEVEN_DAYS_MS = 7 * 86_400_000
const undo = (token: string) => auth.post('/auth/undo-email', { token })
const changesFrom = (email: string) =>
  auth.others.sent('EmailChanged').filter(event => event.data.oldEmail === email)
const emailOf = async (id: string) => (await auth.storedUser(id))?.email

async function change(email: string, accessToken: string): Promise<void> {
  expect((await auth.put('/users/profile', { email }, accessToken)).status).toBe(200)
}

/** Changes the address and returns the token mailed to the old one. */
async function moveTo(email: string, accessToken: string, from: string): Promise<string> {
  const before = changesFrom(from).length
  await change(email, accessToken)
  const { data } = await eventually(() => changesFrom(from)[before])
  return tokenOf(data.undoLink)
}

/** An account whose address was changed, and the token mailed to the old one. */
async function moved() {
  const account = await auth.signedUp()
  const { email } = account.person
  const newEmail = `new-${email}`
  return { ...account, newEmail, token: await moveTo(newEmail, account.accessToken, email) }
}

const resetBy = async (email: string, newPassword: string) =>
  auth.reset(await auth.resetToken(email), newPassword)

/** Resets the password by mail, which proves the address and ends all sessions. Returns a new access token. */
async function proveAndSignIn(email: string): Promise<string> {
  expect((await resetBy(email, 'changed')).status).toBe(200)
  return (await auth.login(email, 'changed')).body.data.accessToken
}

test('when the e-mail changes, then the old address gets a mail with the undo link at once', async () => {
  const { person, user, token } = await moved()
  expect(changesFrom(person.email).map(event => event.data)).toEqual([
    {
      userId: user.id,
      oldEmail: person.email,
      newEmail: `new-${person.email}`,
      firstName: 'Ada',
      undoLink: expect.stringMatching(/^https:\/\/voxscribe\.example\/undo-email\?token=[\w-]{43}$/),
    },
  ])
  const stored = await auth.storedUser(user.id)
  const [former] = stored?.formerEmails ?? []
  expect(Math.abs(former.until.getTime() - Date.now() - SEVEN_DAYS_MS)).toBeLessThan(60_000)
  expect(JSON.stringify(stored?.formerEmails)).not.toContain(token)
})

test('when a password is reset at a new address, then its mail names the one that can take the account back', async () => {
  const { person, newEmail } = await moved()
  await auth.resetToken(newEmail)
  const { formerEmail, undoUntil = '' } = auth.resetsFor(newEmail)[0]!.data
  expect(formerEmail).toBe(person.email.replace(/^(.).*@/, '$1•••@'))
  expect(Math.abs(Date.parse(undoUntil) - Date.now() - SEVEN_DAYS_MS)).toBeLessThan(60_000)
})

test('when an address is chosen, then it is proved only once its link is opened, and no other link proves it', async () => {
  const { person, user, accessToken, newEmail } = await moved()
  const newest = () => auth.updatesOf(user.id).at(-1)!.data
  expect(newest()).toMatchObject({ email: newEmail, provedEmail: person.email })
  const { confirmToken = '' } = newest()
  const confirm = (token: string) => auth.post('/auth/confirm-email', { token })
  for (const wrong of [`${user.id}.guess`, user.id, 'nobody.x', `${confirmToken}x`])
    expect((await confirm(wrong)).status).toBe(400)
  for (let i = 0; i < 2; i++) expect((await confirm(confirmToken)).status).toBe(200)
  await eventually(() => newest().provedEmail === newEmail)
  expect(newest().revision).toBe(2)
  await change(`other-${newEmail}`, accessToken)
  expect((await confirm(confirmToken)).status).toBe(400)
})

test('when only the name changes, then no mail is sent', async () => {
  const { person, accessToken } = await auth.signedUp()
  await auth.put('/users/profile', { first_name: 'Augusta', email: person.email }, accessToken)
  await moveTo(`new-${person.email}`, accessToken, person.email)
  expect(changesFrom(person.email)).toHaveLength(1)
})

test('when a change is undone, then the old address returns, sessions end, a reset link is sent', async () => {
  const { person, user, accessToken, refreshToken, newEmail, token } = await moved()
  const { status, body } = await undo(token)
  expect([status, body.data]).toEqual([200, null])
  expect((await auth.get('/users/profile', accessToken)).status).toBe(401)
  expect((await auth.put('/users/profile', { email: `again-${newEmail}` }, accessToken)).status).toBe(401)
  expect((await auth.login(newEmail, person.password)).status).toBe(401)
  const back = await auth.login(person.email, person.password)
  expect(back.body.data.user).toMatchObject({ id: user.id, email: person.email })
  expect((await auth.post('/auth/refresh', { refreshToken })).status).toBe(401)
  const update = await eventually(() =>
    auth.others.sent('UserUpdated').find(({ data }) => data.userId === user.id && data.revision === 2),
  )
  expect(update.data).toMatchObject({ email: person.email, generation: 1, passwordGeneration: 1 })
  expect(update.data.linkCode).not.toBe(user.link_code)
  const told = auth.others.sent('PasswordChanged').find(event => event.data.userId === user.id)
  expect(told?.data).toMatchObject({ email: person.email, undone: true })
  const { data } = await eventually(() => auth.resetsFor(person.email)[0])
  expect((await auth.reset(tokenOf(data.resetLink), 'only mine')).status).toBe(200)
  expect((await auth.login(person.email, 'only mine')).status).toBe(200)
})

test('when the password was reset from the new address, then the undo restores the old one', async () => {
  const { person, newEmail, token } = await moved()
  expect((await resetBy(newEmail, 'now it is mine')).status).toBe(200)
  expect((await undo(token)).status).toBe(200)
  expect((await auth.login(person.email, 'now it is mine')).status).toBe(401)
  expect((await auth.login(person.email, person.password)).status).toBe(200)
})

test('when a reset link was sent to the new address, then it is void after the undo', async () => {
  const { newEmail, token } = await moved()
  const resetToken = await auth.resetToken(newEmail)
  await undo(token)
  expect((await auth.reset(resetToken, 'now it is mine')).status).toBe(400)
  await auth.post('/auth/forgot-password', { email: newEmail })
  await eventually(async () => (await auth.stored('reset_requests').countDocuments()) === 0)
  expect(auth.resetsFor(newEmail)).toHaveLength(1)
})

test('when a link is used again, or five times at once, then it works once', async () => {
  const { person, user, token } = await moved()
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => undo(token)))
  expect(answers.map(answer => answer.status).sort()).toEqual([200, 400, 400, 400, 400])
  const { status, body } = await undo(token)
  expect([status, body.errors]).toEqual([400, [{ field: 'token', message: 'Invalid or expired link' }]])
  await eventually(() => auth.resetsFor(person.email)[0])
  expect(auth.resetsFor(person.email)).toHaveLength(1)
  expect((await auth.storedUser(user.id))?.generation).toBe(1)
})

describe('when the e-mail goes over three addresses, the second of which has opened a link', () => {
  async function movedOn() {
    const { person, user, accessToken } = await auth.signedUp()
    const first = person.email
    const [second, passed, last] = [`b-${first}`, `c-${first}`, `d-${first}`]
    const toFirst = await moveTo(second, accessToken, first)
    const token = await proveAndSignIn(second)
    const toSecond = await moveTo(passed, token, second)
    await change(last, token)
    return { user, first, second, passed, last, toFirst, toSecond, token }
  }

  test('then an unproved one is free, without a mail; an undo voids later links and frees their addresses', async () => {
    const { user, first, second, passed, last, toFirst, toSecond } = await movedOn()
    const other = await auth.signedUp()
    for (const email of [first, second]) {
      const registering = await auth.post('/auth/register', { ...newPerson(), email })
      expect([registering.status, registering.body.code]).toEqual([409, 'email_taken'])
      expect((await auth.put('/users/profile', { email }, other.accessToken)).status).toBe(409)
    }
    expect((await auth.post('/auth/register', { ...newPerson(), email: passed })).status).toBe(201)
    expect((await undo(toFirst)).status).toBe(200)
    expect((await undo(toSecond)).status).toBe(400)
    expect(await emailOf(user.id)).toBe(first)
    await change(second, other.accessToken)
    expect((await auth.post('/auth/register', { ...newPerson(), email: last })).status).toBe(201)
    expect(changesFrom(passed)).toEqual([])
  })

  test('then a change back to the second voids later links and keeps that of the first', async () => {
    const { user, first, second, last, toFirst, toSecond, token } = await movedOn()
    await change(second, token)
    expect((await auth.post('/auth/register', { ...newPerson(), email: last })).status).toBe(201)
    // Its own link still works, which allows no more than the current address may do.
    expect((await undo(toSecond)).status).toBe(200)
    expect(await emailOf(user.id)).toBe(second)
    expect((await undo(toFirst)).status).toBe(200)
    expect(await emailOf(user.id)).toBe(first)
  })
})

describe('when the e-mail goes back to the first address', () => {
  async function wentBack() {
    const { person, user, accessToken } = await auth.signedUp()
    const second = `thief-${person.email}`
    const toFirst = await moveTo(second, accessToken, person.email)
    const token = await proveAndSignIn(second)
    await change(person.email, token)
    return { user, first: person.email, second, toFirst, token }
  }

  test('then the second has no link, and a reset through the first voids all others', async () => {
    const { user, first, second, toFirst } = await wentBack()
    expect((await resetBy(first, 'only mine')).status).toBe(200)
    expect(changesFrom(second)).toEqual([])
    expect((await undo(toFirst)).status).toBe(400)
    const other = await auth.signedUp()
    await change(second, other.accessToken)
    expect((await auth.login(first, 'only mine')).body.data.user.id).toBe(user.id)
  })

  test('then 30 changes to and fro leave the first link valid; the next is 429', async () => {
    const { user, first, second, toFirst, token } = await wentBack()
    for (let hop = 1; hop < 30; hop++) {
      await change(second, token)
      await change(first, token)
    }
    const refused = await auth.put('/users/profile', { email: second }, token)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_email_changes'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(6 * 86_400)
    expect((await auth.put('/users/profile', { first_name: 'Augusta' }, token)).status).toBe(200)
    expect((await undo(toFirst)).status).toBe(200)
    expect((await auth.storedUser(user.id))?.formerEmails).toEqual([])
  })
})

test('when an ended session changes the address during the undo, then the undo wins', async () => {
  const { person, user, accessToken, newEmail, token } = await moved()
  const hop = (n: number) => auth.put('/users/profile', { email: `${n}-${newEmail}` }, accessToken)
  const [undone] = await Promise.all([undo(token), ...[1, 2, 3].map(hop)])
  expect(undone.status).toBe(200)
  expect(await emailOf(user.id)).toBe(person.email)
})

test('when the password is reset while a change is under way, then the change is refused', async () => {
  const { person, user, accessToken } = await auth.signedUp()
  const read = (await auth.users.byId(user.id))!
  expect((await resetBy(person.email, 'only mine')).status).toBe(200)
  const deps = { users: auth.users, publicUrl: 'https://voxscribe.example', retentionDays: 30 }
  const session = { userId: user.id, claims: { userId: user.id, generation: 0, expiresAt: new Date() } }
  const reads = [read]
  const caller = async () => reads.pop() ?? callerOf({ ...deps, sessions: {} as never }, session)
  const late = changeProfile(deps, caller, { email: `thief-${person.email}` })
  await expect(late).rejects.toMatchObject({ status: 401 })
  expect(await emailOf(user.id)).toBe(person.email)
  expect((await auth.get('/users/profile', accessToken)).status).toBe(401)
})

test('when seven days have passed, then the link is void and the address is free', async () => {
  const { person, user, token } = await moved()
  await auth.setUser(user.id, { $set: { 'formerEmails.0.until': new Date(Date.now() - 1) } })
  expect((await undo(token)).status).toBe(400)
  await eventually(
    async () => (await auth.post('/auth/register', { ...newPerson(), email: person.email })).status === 201,
  )
})

test.each(['made up', '', 'x'.repeat(501), null])('when the token is %.10j, then 400', async token => {
  const { status, body } = await undo(token as string)
  expect([status, body.errors]).toEqual([400, [{ field: 'token', message: 'Invalid or expired link' }]])
})
