import { randomUUID } from 'node:crypto'
import { type EventOf, NumberChanged, SenderLinked } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { authForAll, newPerson, tokenOf } from '../testing.ts'

const auth = authForAll({ PUBLIC_URL: 'https://voxscribe.example' })

type Data = EventOf<'SenderLinked'>['data']
type Account = Awaited<ReturnType<typeof auth.signedUp>>

const undo = (token: string) => auth.post('/auth/undo-number', { token })
const stored = async (id: string) => (await auth.storedUser(id))!
const replacedOf = (userId: string) =>
  auth.others.sent('SenderReplaced').filter(({ data }) => data.userId === userId)

/** Sends the account's link code from this number, which wasn't bound before. */
async function link({ user }: Account, phone: string | null, more: Partial<Data> = {}) {
  const { linkCode: usedCode } = await stored(user.id)
  const address = phone ?? `US.${randomUUID().replaceAll('-', '')}`
  const source = { channel: 'whatsapp' as const, address, messageId: `wamid.${randomUUID()}` }
  const data = { userId: user.id, phone, whatsappUserId: null, usedCode, source, ...more }
  const event = SenderLinked.create(data)
  await auth.others.publish(event)
  await eventually(async () => (await stored(user.id)).linkCode !== usedCode)
  return { event, usedCode, address }
}

let numbers = 0
/** A number that no other case uses. */
const newNumber = () => `336123${String(++numbers).padStart(5, '0')}`

/** A linked account to which someone else has linked another number. */
async function movedAway(phone: string | null = newNumber()) {
  const account = await auth.signedUp()
  const own = `1${account.person.wtp_number}`
  const first = await link(account, own)
  const second = await link(account, phone, { replaces: true })
  const { data } = await eventually(() => replacedOf(account.user.id)[0])
  return { ...account, own, first, second, phone, data, token: tokenOf(data.undoLink) }
}

test('when another number is linked, then the owner hears of it once, with a link', async () => {
  const { user, person, own, phone, data, second, token } = await movedAway()
  expect(data).toEqual({
    userId: user.id,
    email: person.email,
    firstName: 'Ada',
    chat: { channel: 'whatsapp', address: own },
    phone,
    channel: 'whatsapp',
    undoLink: expect.stringMatching(/^https:\/\/voxscribe\.example\/undo-number\?token=[\w-]{43}$/),
  })
  await auth.others.publish(second.event)
  await auth.others.publish({ ...second.event, id: randomUUID() })
  await eventually(async () => (await stored(user.id)).linked)
  expect(replacedOf(user.id)).toHaveLength(1)
  expect(JSON.stringify((await stored(user.id)).formerNumbers)).not.toContain(token)
})

test('when it is undone, then the number is back, the new sender is not bound, and all sessions end', async () => {
  const { user, person, accessToken, refreshToken, own, first, second, token } = await movedAway()
  const answer = await undo(token)
  expect([answer.status, answer.body.data]).toEqual([200, null])
  expect((await auth.get('/users/profile', accessToken)).status).toBe(401)
  expect((await auth.post('/auth/refresh', { refreshToken })).status).toBe(401)
  const back = (await auth.login(person.email, person.password)).body.data.user
  expect(back).toMatchObject({ wtp_number: person.wtp_number, linked: true })
  expect([first.usedCode, second.usedCode]).not.toContain(back.link_code)
  const update = await eventually(() =>
    auth.updatesOf(user.id).find(({ data }) => data.undoneCodes?.length === 1),
  )
  expect(update.data).toMatchObject({
    phone: own,
    boundBy: first.usedCode,
    undoneCodes: [second.usedCode],
    linkCode: back.link_code,
  })
})

test('when the new sender hides the number, then that is undone as well', async () => {
  const { user, person, data, second, token } = await movedAway(null)
  expect(data).toMatchObject({ phone: null })
  expect((await undo(token)).status).toBe(200)
  expect(await stored(user.id)).toMatchObject({
    national: person.wtp_number,
    numberProved: true,
    undoneCodes: [second.usedCode],
  })
})

test('when a linked number is changed in the profile, then it can be taken back with its senders', async () => {
  const account = await auth.signedUp()
  const { usedCode } = await link(account, `1${account.person.wtp_number}`)
  const change = { wtp_number: '07911 999333', country_code: '826' }
  expect((await auth.put('/users/profile', change, account.accessToken)).status).toBe(200)
  const { data } = await eventually(() => replacedOf(account.user.id)[0])
  expect(data.phone).toBe('447911999333')
  expect((await undo(tokenOf(data.undoLink))).status).toBe(200)
  expect(await stored(account.user.id)).toMatchObject({
    phone: `1${account.person.wtp_number}`,
    countryId: '840',
    boundBy: usedCode,
    linked: true,
    numberProved: true,
  })
})

test('when a number was never linked, then its change is no news', async () => {
  const { user, accessToken } = await auth.signedUp()
  await auth.put('/users/profile', { wtp_number: newPerson().wtp_number }, accessToken)
  await link(await auth.signedUp(), newNumber())
  expect(replacedOf(user.id)).toEqual([])
})

test('when the account moves on, then the first link undoes all of it, and later links end', async () => {
  const account = await movedAway()
  const third = await link(account, newNumber(), { replaces: true })
  const later = await eventually(() => replacedOf(account.user.id)[1])
  expect((await undo(account.token)).status).toBe(200)
  expect(await stored(account.user.id)).toMatchObject({
    phone: account.own,
    undoneCodes: [account.second.usedCode, third.usedCode],
    formerNumbers: [],
  })
  expect((await undo(tokenOf(later.data.undoLink))).status).toBe(400)
})

test('when a link is wrong, used, or older than seven days, then it is 400 and nothing changes', async () => {
  const { user, phone, token } = await movedAway()
  await auth.setUser(user.id, { $set: { 'formerNumbers.0.until': new Date(Date.now() - 1000) } })
  for (const wrong of [token, 'nonsense', 'x'.repeat(43)]) {
    const { status, body } = await undo(wrong)
    expect([status, body.errors]).toEqual([400, [{ field: 'token', message: 'Invalid or expired link' }]])
  }
  await eventually(async () => (await stored(user.id)).formerNumbers.length === 0)
  expect((await stored(user.id)).phone).toBe(phone)
})

test('when five press at once, then it is undone once', async () => {
  const { user, token } = await movedAway()
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => undo(token)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  expect((await stored(user.id)).generation).toBe(1)
})

test('when another account has claimed the old number meanwhile, then it loses it; one that proved it keeps it', async () => {
  const [claimed, proved] = [await movedAway(), await movedAway()]
  const [claimer, prover] = [newPerson(), newPerson()]
  const rivals = [
    await auth.signedUp({ ...claimer, wtp_number: claimed.person.wtp_number }),
    await auth.signedUp({ ...prover, wtp_number: proved.person.wtp_number }),
  ] as const
  await link(rivals[1], proved.own)
  for (const { token } of [claimed, proved]) expect((await undo(token)).status).toBe(200)
  expect((await stored(claimed.user.id)).phone).toBe(claimed.own)
  expect((await stored(rivals[0].user.id)).phone).toBeUndefined()
  expect((await stored(proved.user.id)).phone).toBeUndefined()
  expect((await stored(rivals[1].user.id)).phone).toBe(proved.own)
})

test('when WhatsApp says that the number changed, then the account has none, until a code comes', async () => {
  const account = await auth.signedUp()
  const phone = `1${account.person.wtp_number}`
  await link(account, phone)
  const changed = NumberChanged.create({ userId: account.user.id, phone, newPhone: '16505550999' })
  for (let time = 0; time < 2; time++) await auth.others.publish(changed)
  await eventually(async () => !(await auth.userOf(account.accessToken)).linked)
  expect(await auth.userOf(account.accessToken)).toMatchObject({ wtp_number: '', linked: false })
  expect((await auth.signedUp({ ...newPerson(), wtp_number: account.person.wtp_number })).user).toBeDefined()
  await link(account, '16505550999')
  expect(replacedOf(account.user.id)).toEqual([])
})

test('when WhatsApp says that a former number changed, then it cannot be taken back from its next person', async () => {
  const { user, own, person, token } = await movedAway()
  await auth.others.publish(NumberChanged.create({ userId: user.id, phone: own, newPhone: null }))
  await eventually(async () => !(await stored(user.id)).formerNumbers[0]?.phone)
  const next = await auth.signedUp({ ...newPerson(), wtp_number: person.wtp_number })
  expect((await undo(token)).status).toBe(200)
  expect(await stored(user.id)).toMatchObject({ national: '', numberProved: false, linked: true })
  expect((await stored(next.user.id)).phone).toBe(own)
})

test('when the message of the new sender comes once more after it was undone, then it stays undone', async () => {
  const { user, own, phone, token, second } = await movedAway()
  expect((await undo(token)).status).toBe(200)
  // This event comes from a machine whose clock is ahead.
  const occurredAt = new Date(Date.now() + 600_000).toISOString()
  await auth.others.publish({ ...second.event, id: randomUUID(), occurredAt })
  const marker = SenderLinked.create({ ...second.event.data, usedCode: undefined, phone: null })
  await auth.others.publish({ ...marker, occurredAt })
  await eventually(async () => (await stored(user.id)).chat?.address === phone)
  expect(await stored(user.id)).toMatchObject({ phone: own, formerNumbers: [] })
})

test('when the next person of a number proves it, then it moves, with a notice to its account', async () => {
  const [before, next] = [await auth.signedUp(), await auth.signedUp()]
  const phone = `1${before.person.wtp_number}`
  await link(before, phone)
  await link(next, phone, { takenFrom: before.user.id })
  expect((await stored(next.user.id)).phone).toBe(phone)
  expect(await stored(before.user.id)).toMatchObject({ national: '', linked: false, numberProved: false })
  await eventually(() =>
    auth.others.sent('NumberTakenOver').find(({ data }) => data.userId === before.user.id),
  )
})
