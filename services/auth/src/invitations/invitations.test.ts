import { INVITATIONS_MAX } from '@voxscribe/contracts/limits'
import { eventually } from '@voxscribe/service/testing'
import { type Auth, authForAll, newPerson, startAuth } from '../testing.ts'

const auth = authForAll({ SIGN_UP: 'invited' })

const inviteIn = (link: string) => new URL(link).searchParams.get('invite')!
const invitationsTo = (email: string) =>
  auth.others.sent('InvitationMade').filter(({ data }) => data.email === email)
const register = (person: object) => auth.post('/auth/register', person)

/** A person who opened an account with the operator's invitation. */
async function member() {
  const person = newPerson()
  const { body } = await auth.operator('invite', { email: person.email })
  const { user, accessToken } = (await register({ ...person, invite: inviteIn(body.data.inviteLink) })).body
    .data
  return { person, user, accessToken }
}
/** A person whom a new member has invited. */
async function invited() {
  const host = await member()
  const guest = newPerson()
  const { body } = await auth.post('/users/invitations', { email: guest.email }, host.accessToken)
  const { data } = await eventually(() => invitationsTo(guest.email)[0])
  return { host, guest, sent: data, invitation: body.data.invitation, invite: inviteIn(data.inviteLink) }
}

test('when a person invites an address, then a mail has a link that opens an account once, and only a hash is stored', async () => {
  const { host, guest, sent, invitation, invite } = await invited()
  expect(invitation).toEqual({ id: expect.any(String), email: guest.email, expiresAt: sent.expiresAt })
  expect(sent).toMatchObject({ userId: host.user.id, from: host.person.email })
  expect(new URL(sent.inviteLink).searchParams.get('email')).toBe(guest.email)
  const days = (Date.parse(invitation.expiresAt) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(13.9)
  expect(days).toBeLessThanOrEqual(14)
  await eventually(async () => {
    const stored = await auth.stored('invitations').findOne({ email: guest.email })
    return stored && !JSON.stringify(stored).includes(invite)
  })
  const list = () => auth.get('/users/invitations', host.accessToken)
  expect((await list()).body.data.invitations).toEqual([invitation])
  expect((await register({ ...guest, invite })).status).toBe(201)
  expect((await list()).body.data.invitations).toEqual([])
  const again = await register({ ...newPerson(), email: guest.email, invite })
  expect([again.status, again.body.errors?.[0]?.field]).toEqual([400, 'invite'])
})

test('when a person comes without an invitation, then 403 says that one is needed', async () => {
  expect(await register(newPerson())).toMatchObject({ status: 403, body: { code: 'sign_up_invited' } })
})

test('when an invitation comes with another address, then nothing happens and it still works', async () => {
  const { guest, invite } = await invited()
  const answer = await register({ ...newPerson(), invite })
  expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, 'email'])
  expect((await register({ ...guest, email: guest.email.toUpperCase(), invite })).status).toBe(201)
})

test('when ten register with one invitation at once, then one gets in', async () => {
  const { guest, invite } = await invited()
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => register({ ...newPerson(), email: guest.email, invite })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter(status => status === 201)).toHaveLength(1)
  expect(statuses.filter(status => status === 400 || status === 409)).toHaveLength(9)
})

test('when the number is taken, then the invitation is as it was, and works with another one', async () => {
  const { host, guest, invite } = await invited()
  const invitations = () => auth.stored('invitations').find({ email: guest.email }).toArray()
  const before = await eventually(async () => {
    const [found] = await invitations()
    return found?.outbox.length === 0 && [found]
  })
  const taken = await register({ ...guest, wtp_number: host.person.wtp_number, invite })
  expect([taken.status, taken.body.code]).toEqual([409, 'phone_taken'])
  expect(await invitations()).toEqual(before)
  expect((await register({ ...guest, invite })).status).toBe(201)
  expect(await invitations()).toEqual([])
})

test.each([
  'expired',
  'removed',
  'replaced by a newer one',
  'from a blocked account',
  'from an erased account',
])('when an invitation is %s, then it opens no account', async what => {
  const { host, guest, invitation, invite } = await invited()
  if (what === 'expired')
    await auth.stored('invitations').updateOne({ email: guest.email }, { $set: { expiresAt: new Date() } })
  if (what === 'removed')
    expect((await auth.delete(`/users/invitations/${invitation.id}`, host.accessToken)).status).toBe(200)
  if (what.startsWith('replaced'))
    await auth.post('/users/invitations', { email: guest.email }, host.accessToken)
  if (what.includes('blocked')) await auth.operator('block', { who: host.user.id, reason: 'spam' })
  if (what.includes('erased')) await auth.erase(host.person.password, host.accessToken)
  const { status, body } = await register({ ...guest, invite })
  expect([status, body.errors]).toEqual([
    400,
    [expect.objectContaining({ field: 'invite', message: 'Invalid or expired link' })],
  ])
})

test('when an account is erased, then nothing is left of invitations by and to its person', async () => {
  const { host, guest, invite } = await invited()
  const { accessToken } = (await register({ ...guest, invite })).body.data
  await auth.post('/users/invitations', { email: guest.email }, host.accessToken)
  const other = newPerson()
  await auth.post('/users/invitations', { email: other.email }, accessToken)
  await auth.erase(guest.password, accessToken)
  const left = await auth.stored('invitations').find().toArray()
  for (const email of [guest.email, other.email]) expect(JSON.stringify(left)).not.toContain(email)
})

test('when a person exports their account, then the open invitations are in it', async () => {
  const { host, invitation } = await invited()
  const response = await fetch(`${auth.url}/internal/former-addresses?userId=${host.user.id}`)
  expect((await response.json()).data.invitations).toEqual([invitation])
})

test('when 25 are invited at once, then 20 are, and the place of a removed one is free again', async () => {
  const { accessToken } = await member()
  const invite = (_: unknown, n: number) =>
    auth.post('/users/invitations', { email: `many${n}@example.org` }, accessToken)
  const answers = await Promise.all(Array.from({ length: 25 }, invite))
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    Array(25 - INVITATIONS_MAX).fill([409, 'too_many_invitations']),
  )
  const [first] = (await auth.get('/users/invitations', accessToken)).body.data.invitations
  await auth.delete(`/users/invitations/${first.id}`, accessToken)
  expect((await invite(0, 99)).status).toBe(201)
})

test('when another person’s invitation is to be removed, then there is none', async () => {
  const { host, invitation } = await invited()
  const { accessToken } = await member()
  expect((await auth.delete(`/users/invitations/${invitation.id}`, accessToken)).status).toBe(404)
  expect((await auth.get('/users/invitations', host.accessToken)).body.data.invitations).toHaveLength(1)
})

test.each([['not an address'], [{ $gt: '' }], [undefined]])(
  'when %j is invited, then 400 names the field',
  async email => {
    const { accessToken } = await member()
    const { status, body } = await auth.post('/users/invitations', { email }, accessToken)
    expect([status, body.errors?.[0]?.field]).toEqual([400, 'email'])
  },
)

describe.each(['open', 'closed'])('when SIGN_UP is %s', rule => {
  let other: Auth
  beforeAll(async () => {
    other = await startAuth({ SIGN_UP: rule })
  })
  afterAll(() => other.stop())

  test('then registering says so, with an invitation, too', async () => {
    for (const more of [{}, { invite: 'anything' }]) {
      const { status, body } = await other.post('/auth/register', { ...newPerson(), ...more })
      expect([status, body.code]).toEqual(rule === 'open' ? [201, undefined] : [403, 'sign_up_closed'])
    }
  })

  test('then nobody can be invited', async () => {
    const off = { status: 409, body: { code: 'invitations_off' } }
    expect(await other.operator('invite', { email: 'grace@example.com' })).toMatchObject(off)
    if (rule === 'closed') return
    const { accessToken } = await other.signedUp()
    expect(await other.get('/users/invitations', accessToken)).toMatchObject(off)
    expect(await other.post('/users/invitations', { email: 'a@b.example' }, accessToken)).toMatchObject(off)
    expect(await other.delete('/users/invitations/x', accessToken)).toMatchObject(off)
  })
})

test('when a person invites too often, or an address is invited too often, then 429', async () => {
  const limited = await startAuth({
    SIGN_UP: 'invited',
    RATE_LIMITS: 'on',
    RATE_LIMIT_INVITE: '3/1h',
    RATE_LIMIT_FORGOT_ACCOUNT: '4/1h',
  })
  try {
    const newMember = async () => {
      const person = newPerson()
      const { inviteLink } = (await limited.operator('invite', { email: person.email })).body.data
      const { body } = await limited.post('/auth/register', { ...person, invite: inviteIn(inviteLink) })
      return body.data.accessToken
    }
    const times = async (count: number, accessToken: string) => {
      const statuses: number[] = []
      for (let i = 0; i < count; i++)
        statuses.push(
          (await limited.post('/users/invitations', { email: 'a@b.example' }, accessToken)).status,
        )
      return statuses
    }
    expect(await times(4, await newMember())).toEqual([201, 201, 201, 429])
    expect(await times(2, await newMember())).toEqual([201, 429])
  } finally {
    await limited.stop()
  }
})
