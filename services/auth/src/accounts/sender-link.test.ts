import { randomUUID } from 'node:crypto'
import {
  type Envelope,
  type EventOf,
  NumberDisowned,
  SenderLinked,
  UserRegistered,
} from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { type Auth, newPerson, startAuth } from '../testing.ts'

let auth: Auth
beforeAll(async () => {
  auth = await startAuth()
})
afterAll(() => auth.stop())

function linked(userId: string, phone: string | null, occurredAt = new Date()): EventOf<'SenderLinked'> {
  const address = phone ?? 'US.1349'
  const source = { channel: 'whatsapp' as const, address, messageId: 'wamid.1' }
  const event = SenderLinked.create({ userId, phone, whatsappUserId: 'US.1349', source })
  return { ...event, occurredAt: occurredAt.toISOString() }
}

/** Resolves once all that was published before is handled: with a message that cannot be read, and comes after it. */
async function handled(last: Envelope) {
  const poison = { ...last, id: randomUUID(), data: {} }
  await auth.others.publish(poison)
  return eventually(async () => (await auth.others.deadLetters()).find(({ id }) => id === poison.id))
}

const userOf = async (accessToken: string) => (await auth.get('/users/profile', accessToken)).body.data.user
const updatesOf = (userId: string) =>
  auth.others.sent('UserUpdated').filter(event => event.data.userId === userId)

test("when the code comes from the account's number, then only the link changes", async () => {
  const { user, person, accessToken } = await auth.signedUp()
  await auth.others.publish(linked(user.id, `1${person.wtp_number}`))
  await eventually(async () => (await userOf(accessToken)).linked)
  expect(await userOf(accessToken)).toEqual({ ...user, linked: true })
  expect(updatesOf(user.id)).toEqual([])
})

test('when the code comes from a hidden number, then the account is linked with its own', async () => {
  const { user, accessToken } = await auth.signedUp()
  await auth.others.publish(linked(user.id, null))
  await eventually(async () => (await userOf(accessToken)).linked)
  expect(await userOf(accessToken)).toEqual({ ...user, linked: true })
})

test('when the code came from another number, then that is the number from now on', async () => {
  const { user, accessToken } = await auth.signedUp()
  await auth.others.publish(linked(user.id, '33612345678'))
  await eventually(async () => (await userOf(accessToken)).linked)
  expect(await userOf(accessToken)).toMatchObject({ wtp_number: '612345678', country_code: '250' })
  const update = await eventually(() => updatesOf(user.id)[0])
  expect(update.data).toMatchObject({ phone: '33612345678', linkCode: user.link_code, revision: 1 })
})

test('when the number is written in another way than WhatsApp does, then it is the same number', async () => {
  const person = { ...newPerson(), wtp_number: '11 2345 6789', country_id: '032' }
  const { user, accessToken } = await auth.signedUp(person)
  await auth.others.publish(linked(user.id, '5491123456789'))
  await eventually(async () => (await userOf(accessToken)).linked)
  expect(await userOf(accessToken)).toEqual({ ...user, linked: true })
})

test('when a number is proved that another account claimed, then it moves and the other is told', async () => {
  const claimed = await auth.signedUp()
  const phone = `1${claimed.person.wtp_number}`
  const owner = await auth.signedUp()
  await auth.others.publish(linked(owner.user.id, phone))
  await eventually(async () => (await userOf(owner.accessToken)).linked)
  expect(await userOf(owner.accessToken)).toMatchObject({
    wtp_number: claimed.person.wtp_number,
    linked: true,
  })
  expect(await userOf(claimed.accessToken)).toMatchObject({ wtp_number: '', linked: false })

  const told = await eventually(() => auth.others.sent('NumberTakenOver').find(e => e.data.phone === phone))
  expect(told.data).toEqual({
    userId: claimed.user.id,
    phone,
    email: claimed.person.email,
    firstName: 'Ada',
  })
  const update = await eventually(() => updatesOf(claimed.user.id)[0])
  expect(update.data).toMatchObject({ phone: null, revision: 1 })

  const again = { wtp_number: newPerson().wtp_number }
  const { status } = await auth.put('/users/profile', again, claimed.accessToken)
  expect(status).toBe(200)
})

test('when a claimant was linked without showing the number, then its owner still gets it', async () => {
  const claimed = await auth.signedUp()
  await auth.others.publish(linked(claimed.user.id, null))
  await eventually(async () => (await userOf(claimed.accessToken)).linked)
  const owner = await auth.signedUp()
  await auth.others.publish(linked(owner.user.id, `1${claimed.person.wtp_number}`))
  await eventually(async () => (await userOf(owner.accessToken)).linked)
  expect((await userOf(owner.accessToken)).wtp_number).toBe(claimed.person.wtp_number)
  expect((await userOf(claimed.accessToken)).wtp_number).toBe('')
})

test('when two have lost their number, then neither stands in the way of the other', async () => {
  for (let i = 0; i < 2; i++) {
    const claimed = await auth.signedUp()
    const owner = await auth.signedUp()
    await auth.others.publish(linked(owner.user.id, `1${claimed.person.wtp_number}`))
    await eventually(async () => (await userOf(claimed.accessToken)).wtp_number === '')
  }
})

test('when the number is proved to be another account’s, then it stays there', async () => {
  const owner = await auth.signedUp()
  const phone = `1${owner.person.wtp_number}`
  await auth.others.publish(linked(owner.user.id, phone))
  await eventually(async () => (await userOf(owner.accessToken)).linked)
  const other = await auth.signedUp()
  const event = linked(other.user.id, phone)
  await auth.others.publish(event)
  await eventually(async () => (await auth.others.deadLetters()).some(letter => letter.id === event.id))
  expect(await userOf(owner.accessToken)).toMatchObject({ wtp_number: owner.person.wtp_number, linked: true })
  expect(await userOf(other.accessToken)).toEqual(other.user)
})

test('when the same link comes three times, then there is one change', async () => {
  const claimed = await auth.signedUp()
  const owner = await auth.signedUp()
  const event = linked(owner.user.id, `1${claimed.person.wtp_number}`)
  for (let i = 0; i < 3; i++) await auth.others.publish(event)
  await eventually(async () => (await userOf(owner.accessToken)).linked)
  await eventually(() => updatesOf(owner.user.id).length === 1 && updatesOf(claimed.user.id).length === 1)
  const stored = await auth.stored('users').findOne({ _id: owner.user.id })
  expect(stored?.revision).toBe(1)
})

test('when an old link comes after the person chose another number, then their choice counts', async () => {
  const { user, accessToken } = await auth.signedUp()
  const old = linked(user.id, '33611111111', new Date(Date.now() + 50))
  await auth.others.publish(old)
  await eventually(async () => (await userOf(accessToken)).wtp_number === '611111111')
  await eventually(() => Date.now() > Date.parse(old.occurredAt))
  await auth.put('/users/profile', { wtp_number: '07911 999222', country_code: '826' }, accessToken)
  await auth.others.publish(old)
  await handled(old)
  expect(await userOf(accessToken)).toMatchObject({ wtp_number: '7911999222', linked: false })
})

describe('when the person behind a number says that it is not the account’s', () => {
  function disowned(userId: string, phone: string, occurredAt = new Date()) {
    const source = { channel: 'whatsapp' as const, address: phone, messageId: 'wamid.NO' }
    const event = NumberDisowned.create({ userId, phone, source })
    return { ...event, occurredAt: occurredAt.toISOString() }
  }
  test('then the number is free, once, and others hear of it', async () => {
    const { user, person, accessToken } = await auth.signedUp()
    const event = disowned(user.id, `1${person.wtp_number}`)
    for (let i = 0; i < 3; i++) await auth.others.publish(event)
    await eventually(async () => (await userOf(accessToken)).wtp_number === '')
    const update = await eventually(() => updatesOf(user.id)[0])
    expect(update.data).toMatchObject({ phone: null, phoneClaimedAt: event.occurredAt, revision: 1 })
    const next = await auth.post('/auth/register', { ...newPerson(), wtp_number: person.wtp_number })
    expect(next.status).toBe(201)
    await handled(event)
    expect(updatesOf(user.id)).toHaveLength(1)
  })

  test('then a number that is proved, another one, and one chosen since stay', async () => {
    const proved = await auth.signedUp()
    const phone = `1${proved.person.wtp_number}`
    await auth.others.publish(linked(proved.user.id, phone))
    await eventually(async () => (await userOf(proved.accessToken)).linked)
    const other = await auth.signedUp()
    const since = await auth.signedUp()
    await auth.others.publish(disowned(proved.user.id, phone))
    await auth.others.publish(disowned(other.user.id, '33611112222'))
    const late = disowned(since.user.id, `1${since.person.wtp_number}`, new Date(0))
    await auth.others.publish(late)
    await handled(late)
    for (const { accessToken, person } of [proved, other, since])
      expect((await userOf(accessToken)).wtp_number).toBe(person.wtp_number)
  })
})

test('when the account is deleted, then the event is ignored', async () => {
  const deleted = linked('nobody', '33622222222')
  await auth.others.publish(deleted)
  const poison = await handled(deleted)
  expect(poison.attempts).toBe(1)
  expect((await auth.others.deadLetters()).map(({ id }) => id)).not.toContain(deleted.id)
})

test('when an account is registered, then its event is one that others can read', async () => {
  const { user } = await auth.signedUp()
  const event = await eventually(() =>
    auth.others.sent('UserRegistered').find(e => e.data.userId === user.id),
  )
  expect(UserRegistered.parse(event)).toEqual(event)
})
