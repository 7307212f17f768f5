import { randomUUID } from 'node:crypto'
import {
  type Envelope,
  type EventOf,
  LanguageChosen,
  NumberChanged,
  NumberDisowned,
  SenderLinked,
} from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { type Auth, authForAll, newPerson } from '../testing.ts'

const auth = authForAll()

function linked(
  userId: string,
  phone: string | null,
  occurredAt = new Date(),
  usedCode?: string,
): EventOf<'SenderLinked'> {
  const address = phone ?? 'US.1349'
  const source = { channel: 'whatsapp' as const, address, messageId: 'wamid.1' }
  const event = SenderLinked.create({ userId, phone, whatsappUserId: 'US.1349', usedCode, source })
  return { ...event, occurredAt: occurredAt.toISOString() }
}

/** Resolves once all earlier events are handled, when an unreadable one published after them is a dead letter. */
async function handled(last: Envelope) {
  const poison = { ...last, id: randomUUID(), data: {} }
  await auth.others.publish(poison)
  return eventually(async () => (await auth.others.deadLetters()).find(({ id }) => id === poison.id))
}

/** Sends the account's link code from this number; resolves once the account is linked. */
async function link({ user, accessToken }: Awaited<ReturnType<Auth['signedUp']>>, phone: string | null) {
  await auth.others.publish(linked(user.id, phone, new Date(), user.link_code))
  await eventually(async () => (await auth.userOf(accessToken)).linked)
}

test.each([
  ["the account's number", '525512345678'],
  ['the number as WhatsApp writes it', '5215512345678'],
  ['a hidden number', null],
])('when the code comes from %s, then the link changes, and the code is used up', async (_what, phone) => {
  const numbers = { wtp_number: '55 1234 5678', country_id: '484' }
  const account = await auth.signedUp({ ...newPerson(), ...(phone && numbers) })
  await link(account, phone)
  const after = await auth.userOf(account.accessToken)
  expect(after).toEqual({ ...account.user, linked: true, link_code: expect.stringMatching(/^VX-\w{8}$/) })
  expect(after.link_code).not.toBe(account.user.link_code)
  const update = await eventually(() => auth.updatesOf(account.user.id)[0])
  // The value that proofs are bound to stays.
  expect(update.data).toMatchObject({ linkCode: after.link_code, boundBy: account.user.link_code })
  await auth.stored('users').deleteOne({ _id: account.user.id })
})

test('when the code comes from Telegram, then that is linked until the number changes or the link is undone', async () => {
  const { user, accessToken } = await auth.signedUp()
  expect(user).not.toHaveProperty('telegram_linked')
  const source = { channel: 'telegram' as const, address: 'tg:7', messageId: '7:1' }
  const data = { userId: user.id, phone: null, whatsappUserId: 'tg:7', usedCode: user.link_code, source }
  await auth.others.publish(SenderLinked.create(data))
  await eventually(async () => (await auth.userOf(accessToken)).telegram_linked)
  // A Telegram link survives a number that is proved in the meantime.
  const { link_code } = await auth.userOf(accessToken)
  await auth.others.publish(linked(user.id, '33612999888', new Date(), link_code))
  await eventually(async () => (await auth.userOf(accessToken)).link_code !== link_code)
  expect(await auth.userOf(accessToken)).toMatchObject({ telegram_linked: true })
  await auth.setUser(user.id, { $set: { undoneCodes: [user.link_code] } })
  expect(await auth.userOf(accessToken)).not.toHaveProperty('telegram_linked')
  await auth.setUser(user.id, { $set: { undoneCodes: [] } })
  await auth.put('/users/profile', { wtp_number: '7911 999444', country_code: '826' }, accessToken)
  expect(await auth.userOf(accessToken)).not.toHaveProperty('telegram_linked')
})

test('when the code comes from a machine whose clock is ten minutes behind, then it links like any other', async () => {
  const { user, person, accessToken } = await auth.signedUp()
  const phone = `1${person.wtp_number}`
  const event = linked(user.id, phone, new Date(Date.now() - 600_000), user.link_code)
  for (let time = 0; time < 2; time++) await auth.others.publish(event)
  await handled(event)
  expect(await auth.userOf(accessToken)).toMatchObject({ wtp_number: person.wtp_number, linked: true })
  expect(await auth.storedUser(user.id)).toMatchObject({ numberProved: true, revision: 1 })
})

test('when the person has left the number since, then a code of before comes too late', async () => {
  const { user, person, accessToken } = await auth.signedUp()
  const phone = `1${person.wtp_number}`
  const left = NumberChanged.create({ userId: user.id, phone, newPhone: null })
  await auth.others.publish(left)
  await eventually(async () => !(await auth.userOf(accessToken)).wtp_number)
  const before = linked(user.id, phone, new Date(Date.parse(left.occurredAt) - 1), user.link_code)
  await auth.others.publish(before)
  await handled(before)
  expect(await auth.userOf(accessToken)).toMatchObject({ wtp_number: '', linked: false })
})

test('when the code comes from another number, then the account has that number', async () => {
  const account = await auth.signedUp()
  const { user } = account
  await link(account, '33612345678')
  expect(await auth.userOf(account.accessToken)).toMatchObject({
    wtp_number: '612345678',
    country_code: '250',
  })
  const update = await eventually(() => auth.updatesOf(user.id)[0])
  expect(update.data).toMatchObject({ phone: '33612345678', boundBy: user.link_code, revision: 1 })
  expect(update.data.linkCode).not.toBe(user.link_code)
})

test('when a number that another account claims is proved, then it moves, with a notice to it', async () => {
  const claimed = await auth.signedUp()
  const phone = `1${claimed.person.wtp_number}`
  const owner = await auth.signedUp()
  await link(owner, phone)
  expect(await auth.userOf(owner.accessToken)).toMatchObject({
    wtp_number: claimed.person.wtp_number,
    linked: true,
  })
  expect(await auth.userOf(claimed.accessToken)).toMatchObject({ wtp_number: '', linked: false })

  const told = await eventually(() => auth.others.sent('NumberTakenOver').find(e => e.data.phone === phone))
  expect(told.data).toEqual({
    userId: claimed.user.id,
    phone,
    email: claimed.person.email,
    firstName: 'Ada',
  })
  const update = await eventually(() => auth.updatesOf(claimed.user.id)[0])
  expect(update.data).toMatchObject({ phone: null, revision: 1 })

  const again = { wtp_number: newPerson().wtp_number }
  const { status } = await auth.put('/users/profile', again, claimed.accessToken)
  expect(status).toBe(200)
})

test('when a claimant was linked without showing the number, then its owner still gets it', async () => {
  const claimed = await auth.signedUp()
  await link(claimed, null)
  const owner = await auth.signedUp()
  await link(owner, `1${claimed.person.wtp_number}`)
  expect((await auth.userOf(owner.accessToken)).wtp_number).toBe(claimed.person.wtp_number)
  expect((await auth.userOf(claimed.accessToken)).wtp_number).toBe('')
})

test('when two accounts have lost their numbers, then both are without one', async () => {
  for (let i = 0; i < 2; i++) {
    const claimed = await auth.signedUp()
    await link(await auth.signedUp(), `1${claimed.person.wtp_number}`)
    expect((await auth.userOf(claimed.accessToken)).wtp_number).toBe('')
  }
})

test('when the number is proved to be another account’s, then it stays there', async () => {
  const owner = await auth.signedUp()
  const phone = `1${owner.person.wtp_number}`
  await link(owner, phone)
  const other = await auth.signedUp()
  const event = linked(other.user.id, phone)
  await auth.others.publish(event)
  await eventually(async () => (await auth.others.deadLetters()).some(letter => letter.id === event.id))
  expect(await auth.userOf(owner.accessToken)).toMatchObject({
    wtp_number: owner.person.wtp_number,
    linked: true,
  })
  expect(await auth.userOf(other.accessToken)).toEqual(other.user)
})

test('when a code comes that is not the account’s any more, or bound nobody new, then the code stays', async () => {
  const account = await auth.signedUp()
  await auth.others.publish(linked(account.user.id, null, new Date(), 'VX-00000000'))
  await eventually(async () => (await auth.userOf(account.accessToken)).linked)
  const again = linked(account.user.id, null)
  await auth.others.publish(again)
  await handled(again)
  expect((await auth.userOf(account.accessToken)).link_code).toBe(account.user.link_code)
})

test('when the same link comes three times, then there is one change', async () => {
  const claimed = await auth.signedUp()
  const owner = await auth.signedUp()
  const event = linked(owner.user.id, `1${claimed.person.wtp_number}`)
  for (let i = 0; i < 3; i++) await auth.others.publish(event)
  await eventually(async () => (await auth.userOf(owner.accessToken)).linked)
  await eventually(
    () => auth.updatesOf(owner.user.id).length === 1 && auth.updatesOf(claimed.user.id).length === 1,
  )
  const stored = await auth.storedUser(owner.user.id)
  expect(stored?.revision).toBe(1)
})

test('when an old link comes after a change of the number, then the change stays', async () => {
  const { user, accessToken } = await auth.signedUp()
  const old = linked(user.id, '33611111111', new Date(Date.now() + 50))
  await auth.others.publish(old)
  await eventually(async () => (await auth.userOf(accessToken)).wtp_number === '611111111')
  await eventually(() => Date.now() > Date.parse(old.occurredAt))
  await auth.put('/users/profile', { wtp_number: '07911 999222', country_code: '826' }, accessToken)
  await auth.others.publish(old)
  await handled(old)
  expect(await auth.userOf(accessToken)).toMatchObject({ wtp_number: '7911999222', linked: false })
})

describe('when a number is disowned', () => {
  function disowned(userId: string, phone: string, occurredAt = new Date()) {
    const source = { channel: 'whatsapp' as const, address: phone, messageId: 'wamid.NO' }
    const event = NumberDisowned.create({ userId, phone, source })
    return { ...event, occurredAt: occurredAt.toISOString() }
  }
  test('then the number is free, with one event', async () => {
    const { user, person, accessToken } = await auth.signedUp()
    const event = disowned(user.id, `1${person.wtp_number}`)
    for (let i = 0; i < 3; i++) await auth.others.publish(event)
    await eventually(async () => (await auth.userOf(accessToken)).wtp_number === '')
    const update = await eventually(() => auth.updatesOf(user.id)[0])
    expect(update.data).toMatchObject({ phone: null, phoneClaimedAt: event.occurredAt, revision: 1 })
    const next = await auth.post('/auth/register', { ...newPerson(), wtp_number: person.wtp_number })
    expect(next.status).toBe(201)
    await handled(event)
    expect(auth.updatesOf(user.id)).toHaveLength(1)
  })

  test('then a number that is proved, another one, and one chosen since stay', async () => {
    const proved = await auth.signedUp()
    const phone = `1${proved.person.wtp_number}`
    await link(proved, phone)
    const other = await auth.signedUp()
    const since = await auth.signedUp()
    await auth.others.publish(disowned(proved.user.id, phone))
    await auth.others.publish(disowned(other.user.id, '33611112222'))
    const late = disowned(since.user.id, `1${since.person.wtp_number}`, new Date(0))
    await auth.others.publish(late)
    await handled(late)
    for (const { accessToken, person } of [proved, other, since])
      expect((await auth.userOf(accessToken)).wtp_number).toBe(person.wtp_number)
  })
})

test('when the account is deleted, then the event is ignored', async () => {
  const deleted = linked('nobody', '33622222222')
  await auth.others.publish(deleted)
  const poison = await handled(deleted)
  expect(poison.attempts).toBe(1)
  expect((await auth.others.deadLetters()).map(({ id }) => id)).not.toContain(deleted.id)
})

describe('when a language is chosen in the chat', () => {
  const source = { channel: 'whatsapp' as const, address: '1', messageId: 'wamid.1' }
  const chosen = (userId: string, uiLanguage: 'es' | 'de', minutesAgo = 0) => ({
    ...LanguageChosen.create({ userId, uiLanguage, source }),
    occurredAt: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
  })

  test('then others hear of it once, and an older choice changes nothing', async () => {
    const { user, accessToken } = await auth.signedUp()
    const event = chosen(user.id, 'es')
    for (const each of [event, event, chosen(user.id, 'de', 1)]) await auth.others.publish(each)
    await handled(event)
    expect(await auth.userOf(accessToken)).toMatchObject({ ui_language: 'es' })
    expect(auth.updatesOf(user.id).map(({ data }) => data.uiLanguage)).toEqual(['es'])
  })

  test('then what the profile chose later stays', async () => {
    const { user, accessToken } = await auth.signedUp()
    await auth.put('/users/profile', { ui_language: 'fr' }, accessToken)
    const event = chosen(user.id, 'es', 1)
    await auth.others.publish(event)
    await handled(event)
    expect(await auth.userOf(accessToken)).toMatchObject({ ui_language: 'fr' })
  })

  test('and the account is gone, then the event is acknowledged', async () => {
    const event = chosen(randomUUID(), 'es')
    await auth.others.publish(event)
    await handled(event)
    expect((await auth.others.deadLetters()).map(({ id }) => id)).not.toContain(event.id)
  })
})
