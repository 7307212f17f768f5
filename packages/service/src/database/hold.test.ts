import { z } from 'zod'
import { defineService } from '../run/definition.ts'
import { baseSettings } from '../settings/common-settings.ts'
import { createMemory, eventually, idleHandlers, startAlone } from '../testing.ts'
import { schemaOf } from './documents.ts'
import { createHold, HoldLost, type Lease } from './hold.ts'

const LEASE_MS = 20_000
const Errand = z.object({ _id: z.string(), work: z.object({ lease: z.custom<Lease | null>() }) })
const schema = schemaOf(Errand)

/** Creates processes over one database, and the time that passes for them. */
function openWorld(leaseMs = LEASE_MS) {
  const memory = createMemory()
  const clock = { ms: 0 }
  const start = () => {
    const documents = memory.documentsOf()
    const errands = documents.model('errands', schema, { owner: null, because: 'nobody’s' })
    const hold = createHold(errands, 'work.lease', { leaseMs, elapsed: () => clock.ms })
    return {
      ...hold,
      errands,
      take: () => hold.take('a'),
    }
  }
  const lease = () => memory.all('errands')[0]!.work.lease as Lease | null
  return { clock, start, lease }
}

async function openErrand(leaseMs?: number) {
  const world = openWorld(leaseMs)
  const [first, second] = [world.start(), world.start()]
  await first.errands.collection.insertOne({ _id: 'a', work: { lease: null } } as never)
  return { ...world, first, second }
}

test('when a process holds a document, then no other takes it while its lease changes', async () => {
  const { clock, first, second } = await openErrand()
  expect(await first.take()).not.toBeNull()
  expect(await first.take()).toBeNull()
  expect(await second.take()).toBeNull()
  clock.ms += LEASE_MS / 2
  expect(await second.take()).toBeNull()
  clock.ms += LEASE_MS / 2 - 1
  expect(await second.take()).toBeNull()
  clock.ms += 1
  expect(await second.take()).not.toBeNull()
})

test('when all processes were paused longer than a lease, then the holder keeps the document', async () => {
  const { clock, first, second, lease } = await openErrand()
  await first.take()
  expect(await second.take()).toBeNull()
  clock.ms += 10 * LEASE_MS
  expect(await second.take()).toBeNull()
  lease()!.beat += 1
  clock.ms += LEASE_MS / 2
  expect(await second.take()).toBeNull()
})

test('when a document is released, then another process takes it at once', async () => {
  const { first, second, lease } = await openErrand()
  const held = (await first.take())!
  await held.release()
  expect(lease()).toBeNull()
  expect(await second.take()).not.toBeNull()
  // The old holder releases a second time.
  await held.release()
  expect(lease()).not.toBeNull()
})

test('when two processes claim a document at once, then one of them has it', async () => {
  const { first, second } = await openErrand()
  const held = await Promise.all([first.take(), second.take()])
  expect(held.filter(Boolean)).toHaveLength(1)
})

test('when the work is over but its lease stayed, then the same process may claim it again', async () => {
  const { first } = await openErrand()
  const held = (await first.take())!
  held.end()
  expect(await first.take()).not.toBeNull()
})

test('when a lease is renewed, then it changes; when it was taken over, then the signal aborts', async () => {
  const { first, lease } = await openErrand(50)
  const { signal } = (await first.take())!
  await eventually(() => lease()!.beat > 1)
  expect(signal.aborted).toBe(false)
  lease()!.owner = 'another'
  await eventually(() => signal.aborted)
  expect(signal.reason).toBeInstanceOf(HoldLost)
})

test('when a document is dropped or the process stops, then its signal is aborted', async () => {
  const { first } = await openErrand()
  const held = (await first.take())!
  first.drop('b')
  expect(held.signal.aborted).toBe(false)
  first.drop('a')
  expect(held.signal.reason).toBeInstanceOf(HoldLost)
  await held.release()
  const stopped = (await first.take())!
  const reason = new Error('The service stops')
  first.close(reason)
  expect(stopped.signal.reason).toBe(reason)
})

test('when the claim fails, then the error reaches the caller and the document stays free', async () => {
  const { first } = await openErrand()
  await expect(first.claim('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await first.claim('a', async () => false)).toBeNull()
  expect(await first.take()).not.toBeNull()
})

test('when a process died, then another frees its leases in every field, and keeps those of the living', async () => {
  const Twofold = z.object({
    _id: z.string(),
    one: z.custom<Lease | null>(),
    other: z.custom<Lease | null>(),
  })
  const take = Promise.withResolvers<() => Promise<unknown>>()
  const service = await startAlone(
    defineService({
      name: 'notification',
      settings: baseSettings,
      build({ documents }) {
        const things = documents.model('things', schemaOf(Twofold), { owner: null, because: 'nobody’s' })
        const one = documents.hold(things, 'one', { leaseMs: 40 })
        documents.hold(things, 'other', { leaseMs: 40 })
        take.resolve(() => one.take('mine', {}, { one: null, other: null }))
        return { handlers: idleHandlers('notification') }
      },
    }),
    {},
  )
  try {
    await (await take.promise)()
    const dead = { owner: 'dead', term: 1, beat: 7 }
    await service.stored('things').insertOne({ _id: 'left', one: dead, other: dead })
    const stored = (_id: string) => service.stored('things').findOne({ _id })
    await eventually(async () => {
      const left = await stored('left')
      return left?.one === null && left?.other === null
    })
    expect((await stored('mine'))?.one).toMatchObject({ owner: expect.any(String) })
  } finally {
    await service.stop()
  }
})
