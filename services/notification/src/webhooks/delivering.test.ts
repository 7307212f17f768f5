import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import {
  AccountErased,
  TranscriptionDeleted,
  TranscriptionFailed,
  UserUpdated,
} from '@voxscribe/contracts/events'
import { HOOKS_MAX } from '@voxscribe/contracts/limits'
import { eventually } from '@voxscribe/service/testing'
import { completed, newAccount, newSource, notificationForAll } from '../testing.ts'
import { WAITING_MAX } from './deliveries.ts'
import { AT_ONCE, OF_PERSON_AT_ONCE, OFF_AFTER_MS } from './delivering.ts'
import type { HookRecord } from './hooks.ts'
import { hookCalls, item, type Receiver, startReceiver, status, verified } from './testing.ts'

const app = notificationForAll({ HOOKS_ALLOW_PRIVATE: 'on', HOOK_TIMEOUT: '60s' })
const { call, create, deliveries } = hookCalls(app)
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.stop())

const ALL = ['transcription.completed', 'transcription.failed', 'transcription.deleted']
const DAY_MS = 86_400_000

/** Registers accounts, because chat handlers would retry events of unknown ones, which costs more than these cases. */
const known = new Set<string>()
async function register(userId: string = randomUUID()) {
  known.add(userId)
  return app.register({ ...newAccount(), userId })
}

/** A hook with its own path, and the calls about it. */
async function hookAt(path: string, userId = path, events = ALL) {
  if (!known.has(userId)) await register(userId)
  const { hook, secret } = await create(userId, { url: receiver.url(path), events })
  return {
    secret,
    id: hook.id,
    deliveries: (count?: number) => deliveries(userId, hook.id, count),
    call: (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', below = '', body?: unknown) =>
      call(userId, method, `/hooks/${hook.id}${below}`, body),
    stored: () => app.stored('hooks').findOne({ _id: hook.id }),
    set: (fields: Record<string, unknown>) =>
      app.stored('hooks').updateOne({ _id: hook.id }, { $set: fields }),
  }
}

/** A completed note of a person. */
function noteOf(userId: string) {
  const transcriptionId = randomUUID()
  return completed(newSource(), { userId, transcriptionId, item: item(transcriptionId) })
}

/** Makes a delivery's next try due. */
async function due(id: string, fields: Record<string, unknown> = {}, ofHook: Record<string, unknown> = {}) {
  const $set = { notBefore: new Date(0), ...fields }
  const delivery = await app.stored('hook_deliveries').findOneAndUpdate({ _id: id }, { $set })
  const hook = { _id: String(delivery?.hookId) }
  await app.stored('hooks').updateOne(hook, { $set: { nextAt: new Date(1), ...ofHook } })
  await app.run('deliver-to-hooks')
}

test('when a note is completed, fails or is deleted, then each hook that wants to is told, signed as the public library verifies', async () => {
  const hook = await hookAt('/all')
  const other = await hookAt('/deleted', '/all', ['transcription.deleted'])
  const done = noteOf('/all')
  const { transcriptionId } = done.data
  await app.publish(done)
  const [first] = await receiver.once('/all')
  expect(verified(first!, hook.secret)).toEqual({
    type: 'transcription.completed',
    timestamp: done.occurredAt,
    data: item(transcriptionId),
  })
  expect(() => verified({ ...first!, body: first!.body.replace('Hello', 'Bye') }, hook.secret)).toThrow()
  expect(() => verified(first!, other.secret)).toThrow()
  expect(first?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'voxscribe' })
  expect(await hook.deliveries()).toEqual([
    {
      id: first?.headers['webhook-id'],
      type: 'transcription.completed',
      status: 'delivered',
      createdAt: expect.any(String),
      tries: 1,
      lastTriedAt: expect.any(String),
      nextTryAt: null,
      failure: null,
      statusCode: 200,
      answer: 'thanks',
    },
  ])

  const failure = { reason: { code: 'too_large' }, seconds: 0, attempt: 2, source: newSource() }
  const note = { transcriptionId, userId: '/all' }
  await app.publish(
    TranscriptionFailed.create({ ...note, ...failure, item: item(transcriptionId, { status: 'failed' }) }),
  )
  const [, second] = await receiver.once('/all', 2)
  expect(verified(second!, hook.secret)).toMatchObject({
    type: 'transcription.failed',
    data: { status: 'failed' },
  })

  await app.publish(TranscriptionDeleted.create({ mediaId: transcriptionId, userId: '/all' }))
  const [third] = await receiver.once('/deleted')
  expect(verified(third!, other.secret)).toMatchObject({
    type: 'transcription.deleted',
    data: { id: transcriptionId },
  })
  expect(receiver.at('/deleted')).toHaveLength(1)
  expect(third?.headers['webhook-id']).not.toBe((await receiver.once('/all', 3))[2]?.headers['webhook-id'])
  // The note's text is deleted with it, including from sent messages.
  expect((await hook.deliveries()).map(({ type }: { type: string }) => type)).toEqual([
    'transcription.deleted',
  ])
})

test('when an event comes again, then nothing more is sent; when a note is completed again, then under another id', async () => {
  const hook = await hookAt('/twice')
  const [done, again] = [noteOf('/twice'), noteOf('/twice')]
  for (const event of [done, done, again, done]) await app.publish(event)
  await hook.deliveries(2)
  const ids = (await receiver.once('/twice', 2)).map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([2, 2])
})

test('when news of a note come after its deletion, or that comes twice, then nothing more is sent or kept', async () => {
  const hook = await hookAt('/late')
  const done = noteOf('/late')
  const { transcriptionId } = done.data
  const failure = { reason: { code: 'too_large' }, seconds: 0, attempt: 2, source: newSource() }
  const failed = TranscriptionFailed.create({ ...failure, ...done.data, item: item(transcriptionId) })
  const deleted = TranscriptionDeleted.create({ mediaId: transcriptionId, userId: '/late' })
  await app.publish(done)
  await receiver.once('/late')
  await app.publish(deleted)
  await receiver.once('/late', 2)
  await hook.deliveries()
  for (const event of [done, deleted, failed]) await app.publish(event)
  // The test comes after everything that is waiting.
  await hook.call('POST', '/test')
  const types = (await receiver.once('/late', 3)).map(({ body }) => JSON.parse(body).type)
  expect(types).toEqual(['transcription.completed', 'transcription.deleted', 'test'])
  const kept = (await hook.deliveries(2)).map(({ type }: { type: string }) => type)
  expect(kept.toSorted()).toEqual(['test', 'transcription.deleted'])
})

test('when the secret is replaced, then for a day both are valid', async () => {
  const hook = await hookAt('/rotated')
  const { secret } = (await hook.call('POST', '/rotate')).body.data
  await app.publish(noteOf('/rotated'))
  const [both] = await receiver.once('/rotated')
  expect(verified(both!, hook.secret)).toEqual(verified(both!, secret))
  const { formerSecrets } = (await hook.stored()) as unknown as HookRecord
  expect(formerSecrets[0]!.until.getTime() - Date.now()).toBeGreaterThan(DAY_MS - 60_000)
  await hook.set({ formerSecrets: [{ ...formerSecrets[0], until: new Date() }] })
  await app.publish(noteOf('/rotated'))
  const [, one] = await receiver.once('/rotated', 2)
  expect(verified(one!, secret)).toMatchObject({ type: 'transcription.completed' })
  expect(() => verified(one!, hook.secret)).toThrow()
})

test('when a receiver misbehaves, then each way is named, and the delivery is tried again after 5 s', async () => {
  const endless = Buffer.alloc(64 * 1024, 'x')
  await Promise.all(
    Object.entries({
      '/500': status(500),
      '/301': status(301, { location: receiver.url('/elsewhere') }),
      '/endless': (_, response) => {
        const more = () => {
          while (response.write(endless));
        }
        response.on('drain', more)
        response.writeHead(503)
        more()
      },
      '/closed': request => request.socket.destroy(),
    } satisfies Record<string, Parameters<Receiver['answer']>[1]>).map(async ([path, answer]) => {
      receiver.answer(path, answer)
      return hookAt(path, 'unlucky')
    }),
  )
  await hookAt('/fine', 'unlucky')
  await app.publish(noteOf('unlucky'))
  const { hooks } = (await call('unlucky', 'GET', '/hooks')).body.data
  const outcomes = await Promise.all(
    hooks.map(async ({ id, url }: { id: string; url: string }) => [
      new URL(url).pathname,
      (await deliveries('unlucky', id))[0],
    ]),
  )
  const found = Object.fromEntries(outcomes)
  expect(found).toMatchObject({
    '/500': { status: 'waiting', failure: 'status', statusCode: 500, answer: 'This is 500' },
    '/301': { status: 'waiting', failure: 'redirect', statusCode: 301 },
    '/endless': { status: 'waiting', failure: 'status', statusCode: 503, answer: 'x'.repeat(1000) },
    '/closed': { status: 'waiting', failure: 'connection', statusCode: null, answer: 'ECONNRESET' },
    '/fine': { status: 'delivered', failure: null },
  })
  expect(receiver.at('/elsewhere')).toEqual([])
  const { lastTriedAt, nextTryAt } = found['/500']
  const wait = Date.parse(nextTryAt) - Date.parse(lastTriedAt)
  expect([wait >= 5_000, wait <= 5_500]).toEqual([true, true])
})

test('when a delivery fails each time, then the same message comes ten times, and not again unless asked for', async () => {
  receiver.answer('/never', status(404))
  const hook = await hookAt('/never')
  await app.publish(noteOf('/never'))
  const [{ id }] = await hook.deliveries()
  await due(id)
  const [first, second] = await receiver.once('/never', 2)
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toBe(first?.body)
  await eventually(async () => (await hook.deliveries())[0].tries === 2)
  await due(id, { tries: 9 })
  await eventually(async () => (await hook.deliveries())[0].tries === 10)
  expect(await hook.deliveries()).toMatchObject([{ status: 'failed', nextTryAt: null }])

  receiver.answer('/never', status(204))
  expect((await hook.call('POST', `/deliveries/${id}/again`)).status).toBe(200)
  await eventually(async () => (await hook.deliveries())[0].status === 'delivered')
  expect(receiver.at('/never').at(-1)?.headers['webhook-id']).toBe(id)
  expect((await hook.call('POST', '/deliveries/unknown/again')).status).toBe(404)
})

test('when a receiver answers 410, then the hook is off at once, its person is told, and what waits is not sent', async () => {
  const { userId, email } = await register()
  receiver.answer('/410', status(410))
  const hook = await hookAt('/410', userId)
  await app.publish(noteOf(userId))
  await eventually(async () => (await hook.stored())?.enabled === false)
  expect((await app.mail(email, 3)).text).toContain('answered that it is gone (410)')
  const [{ id, ...gone }] = await hook.deliveries()
  expect(gone).toMatchObject({ status: 'failed', failure: 'gone', statusCode: 410 })
  const again = await hook.call('POST', `/deliveries/${id}/again`)
  expect([again.status, again.body.code]).toEqual([409, 'hook_off'])
  await due(id, { status: 'waiting' })
  await eventually(async () => (await hook.deliveries())[0].failure === 'hook_off')
  await app.publish(noteOf(userId))
  expect(await hook.deliveries()).toHaveLength(1)
  expect(receiver.at('/410')).toHaveLength(1)
})

test.each([
  ['seconds', () => '7200', 7_200_000],
  ['a date', () => new Date(Date.now() + 7_200_000).toUTCString(), 7_190_000],
  ['a year', () => '31536000', 86_390_000],
  ['nonsense', () => 'soon', 4_000],
])(
  'when a receiver asks for a wait by %s, then the next try is not earlier',
  async (what, header, leastMs) => {
    const path = `/wait-${what.replace(' ', '-')}`
    receiver.answer(path, status(429, { 'retry-after': header() }))
    const hook = await hookAt(path)
    await app.publish(noteOf(path))
    await eventually(async () => (await hook.deliveries())[0].tries === 1)
    const waitMs = Date.parse((await hook.deliveries())[0].nextTryAt) - Date.now()
    expect(waitMs).toBeGreaterThan(leastMs - 3_000)
    expect(waitMs).toBeLessThanOrEqual(leastMs + 20_000)
  },
)

test('when every delivery has failed for five days, then the hook is off, and its person is told by mail in their language', async () => {
  const { userId, email } = await register()
  receiver.answer('/broken', status(500))
  const hook = await hookAt('/broken', userId)
  await app.publish(noteOf(userId))
  const [{ id }] = await hook.deliveries()
  const failedFor = (ms: number) => hook.set({ failingSince: new Date(Date.now() - ms) })
  await eventually(async () => (await hook.stored())?.failingSince)
  await failedFor(OFF_AFTER_MS - 60_000)
  await due(id)
  await eventually(async () => (await hook.deliveries())[0].tries === 2)
  expect((await hook.stored())?.enabled).toBe(true)
  await failedFor(OFF_AFTER_MS)
  await due(id)
  await eventually(async () => (await hook.stored())?.enabled === false)
  const mail = await app.mail(email, 3)
  expect(mail.subject).toBe('One of your hooks was turned off')
  expect(mail.text).toContain(receiver.url('/broken'))
  expect(mail.text).toContain('https://voxscribe.test/hooks')

  await hook.call('PATCH', '', { enabled: true })
  expect((await hook.stored())?.failingSince).toBeNull()
})

test('when a delivery works meanwhile, then the days of failure begin again, and the hook was used', async () => {
  const hook = await hookAt('/mended')
  await hook.set({ failingSince: new Date(0) })
  await app.publish(noteOf('/mended'))
  await eventually(async () => (await hook.stored())?.failingSince === null)
  expect(await hook.stored()).toMatchObject({ enabled: true, lastUsedAt: expect.any(Date) })
})

test('when a hook is tested, then a message of type test is tried once, though the hook is off', async () => {
  receiver.answer('/test', status(500))
  const hook = await hookAt('/test')
  await hook.call('PATCH', '', { enabled: false })
  const { delivery } = (await hook.call('POST', '/test')).body.data
  expect(delivery).toMatchObject({ type: 'test', status: 'waiting', tries: 0 })
  const [came] = await receiver.once('/test')
  expect(verified(came!, hook.secret)).toMatchObject({ type: 'test', data: { id: hook.id } })
  expect(await hook.deliveries()).toMatchObject([{ status: 'failed', failure: 'status', tries: 1 }])
})

/** Leaves the requests to a path unanswered until they are released. */
function hangAt(path: string) {
  const held: ServerResponse[] = []
  receiver.answer(path, (_, response) => void held.push(response))
  return {
    held,
    letGo(): void {
      receiver.answer(path, status(200))
      for (const response of held.splice(0)) response.end()
    },
  }
}

test('when the hooks of 13 persons hang, 20 of each, then each holds one place, and another person’s is delivered in its own time', async () => {
  const { held, letGo } = hangAt('/stuck')
  const replica = await app.replica()
  try {
    const persons = Array.from({ length: 13 }, (_, n) => `stuck-${n}`)
    const { id } = await hookAt('/stuck', 'pattern')
    const pattern = (await app.stored('hooks').findOne({ _id: id }))!
    const places = Array.from({ length: HOOKS_MAX }, (_, n) => n)
    await app
      .stored('hooks')
      .insertMany(
        persons.flatMap(userId =>
          places.map(place => ({ ...pattern, _id: `${userId} ${place}`, userId, place })),
        ),
      )
    for (const userId of [...persons, ...persons]) await app.publish(noteOf(userId))
    await eventually(() => held.length >= persons.length * OF_PERSON_AT_ONCE)
    const quick = await hookAt('/quick')
    for (let n = 0; n < 3; n++) await app.publish(noteOf('/quick'))
    await receiver.once('/quick', 3)
    expect((await quick.deliveries(3)).map((each: { status: string }) => each.status)).toEqual(
      Array(3).fill('delivered'),
    )
    // The limit is per process: this one and its replica. On a busy machine, some have been given up and retried.
    expect(held.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(
      2 * persons.length * OF_PERSON_AT_ONCE,
    )
  } finally {
    letGo()
    await replica.stop()
  }
})

test('when more persons wait than there are places, each with many messages, then they take turns', async () => {
  const { held, letGo } = hangAt('/crowd')
  const more = 10
  const persons = Array.from({ length: AT_ONCE + more }, (_, n) => `crowd-${n}`)
  const { hook } = await create('crowd', { url: receiver.url('/crowd') })
  const pattern = { ...(await app.stored('hooks').findOne({ _id: hook.id }))!, nextAt: new Date(1) }
  await app.stored('hooks').insertMany(persons.map(userId => ({ ...pattern, _id: userId, userId })))
  const waiting = { noteId: null, type: 'transcription.deleted', body: '{}', createdAt: new Date() }
  const fresh = { status: 'waiting', notBefore: new Date(0), tries: 0 }
  const several = Array.from({ length: 5 }, (_, n) => n)
  await app
    .stored('hook_deliveries')
    .insertMany(
      persons.flatMap(userId =>
        several.map(n => ({ ...waiting, ...fresh, _id: `${userId} ${n}`, userId, hookId: userId })),
      ),
    )
  await eventually(() => held.length === AT_ONCE)
  await hookAt('/late')
  await app.publish(noteOf('/late'))
  let answered = 0
  while (!receiver.at('/late').length) {
    await eventually(() => held.length || receiver.at('/late').length)
    held.shift()?.end()
    answered++
  }
  expect(answered).toBeLessThanOrEqual(more + 5)
  await app.stored('hook_deliveries').deleteMany({ userId: /^crowd/ })
  letGo()
})

test('when 20 tests and repeats of a hook wait, then more are 429, though rate limits are off, also when asked at once', async () => {
  const { held, letGo } = hangAt('/asked')
  const hook = await hookAt('/asked')
  const other = await hookAt('/asked', 'other')
  await app.publish(noteOf('/asked'))
  await receiver.once('/asked')
  const asked = await Promise.all(Array.from({ length: 30 }, () => hook.call('POST', '/test')))
  expect(asked.filter(each => each.status === 200)).toHaveLength(WAITING_MAX)
  const refused = asked.find(each => each.status !== 200)
  expect([refused?.status, refused?.body.code]).toEqual([429, 'rate_limited'])
  const [waiting] = asked.filter(each => each.status === 200)
  const id = waiting?.body.data.delivery.id
  // It's already waiting.
  expect((await hook.call('POST', `/deliveries/${id}/again`)).status).toBe(200)
  const stored = app.stored('hook_deliveries')
  const { asked: _, ...test } = (await stored.findOne({ _id: id }))!
  await stored.insertOne({ ...test, _id: 'past', status: 'failed', notBefore: null })
  expect((await hook.call('POST', '/deliveries/past/again')).status).toBe(429)
  expect((await stored.findOne({ _id: 'past' }))?.status).toBe('failed')
  expect((await other.call('POST', '/test')).status).toBe(200)

  await eventually(async () => {
    held.shift()?.end()
    return (await hook.call('POST', '/deliveries/past/again')).status === 200
  })
  letGo()
  await eventually(async () => (await stored.countDocuments({ hookId: hook.id, status: 'waiting' })) === 0)
  expect(await stored.countDocuments({ asked: { $gt: '' } })).toBe(0)
})

test('when two processes run, then each delivery is made by one, also when a third has died over it', async () => {
  const replica = await app.replica()
  try {
    const hook = await hookAt('/shared')
    const notes = Array.from({ length: 30 }, () => noteOf('/shared'))
    await Promise.all(notes.map(app.publish))
    await hook.deliveries(30)
    expect(receiver.at('/shared')).toHaveLength(30)
    const [{ id }] = await hook.deliveries()
    await due(id, { status: 'waiting' }, { lease: { owner: 'a dead process', term: 1, beat: 7 } })
    // A lease is dead once it hasn't changed for its duration.
    await eventually(async () => {
      await app.run('deliver-to-hooks')
      return receiver.at('/shared').length === 31
    })
    await eventually(async () => (await hook.deliveries())[0].tries === 2)
    expect(receiver.at('/shared')).toHaveLength(31)
  } finally {
    await replica.stop()
  }
})

test('when a hook is deleted, then nothing of it is left', async () => {
  const hook = await hookAt('/ended')
  await app.publish(noteOf('/ended'))
  await hook.deliveries()
  await hook.call('DELETE')
  expect(await app.stored('hook_deliveries').countDocuments({ hookId: hook.id })).toBe(0)
})

test('when an account is blocked, then its hooks are sent nothing, until the block is lifted', async () => {
  const person = await register()
  const { userId } = person
  const block = (blocked: boolean, revision: number) =>
    app.publish(UserUpdated.create({ ...person, blocked, revision }))
  const hook = await hookAt('/blocked', userId)
  await block(true, 1)
  await app.publish(noteOf(userId))
  await eventually(() => app.stored('hook_deliveries').findOne({ userId, failure: 'hook_off' }))
  expect(receiver.at('/blocked')).toEqual([])
  await block(false, 2)
  const [{ id }] = await hook.deliveries()
  await hook.call('POST', `/deliveries/${id}/again`)
  await receiver.once('/blocked')
})

test('when an account is erased, then its hooks and what they were sent are gone', async () => {
  const { userId, ...person } = await register()
  const hook = await hookAt('/erased', userId)
  await app.publish(noteOf(userId))
  await hook.deliveries()
  await app.publish(AccountErased.create({ userId, ...person }))
  expect(await hook.stored()).toBeNull()
  expect(await app.stored('hook_deliveries').countDocuments({ userId })).toBe(0)
})
