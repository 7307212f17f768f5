import { z } from 'zod'
import { createMemory, drained, silentLog } from '../testing.ts'
import { schemaOf } from './documents.ts'
import { createHold, type Lease } from './hold.ts'
import { createWorkLoop } from './work-loop.ts'

const Errand = z.object({ _id: z.string(), isDone: z.boolean(), lease: z.custom<Lease | null>() })
type Errand = z.infer<typeof Errand>
const schema = schemaOf(Errand)

/** Creates a process that works on at most two errands at once, each until the test ends it. */
function openLoop() {
  const errands = createMemory().documentsOf().model('errands', schema, { owner: null, because: 'nobody’s' })
  // Each reading counts, as if the previous one were long ago.
  let ms = 0
  const hold = createHold(errands, 'lease', { leaseMs: 20_000, elapsed: () => (ms += 20_000) })
  const ends = new Map<string, () => void>()
  let beforeClaim = async () => {}
  const loop = createWorkLoop<Errand>({
    hold,
    async claimNext(inHand) {
      await beforeClaim()
      if (inHand.length >= 2) return null
      return hold.claim(undefined, lease =>
        errands
          .findOneAndUpdate({ isDone: false, lease: null }, { $set: { lease } }, { returnDocument: 'after' })
          .lean<Errand>(),
      )
    },
    async work(held) {
      await Promise.race([
        new Promise<void>(resolve => ends.set(held.claimed._id, resolve)),
        held.signal.aborted || new Promise(resolve => held.signal.addEventListener('abort', resolve)),
      ])
      await held.release({ isDone: !held.signal.aborted })
    },
    log: silentLog,
  })
  return {
    loop,
    hold,
    add: (_id: string, lease: Lease | null = null) =>
      errands.collection.insertOne({ _id, isDone: false, lease } as never),
    stored: async (_id: string) => (await errands.findById(_id).lean()) as Errand,
    end: (_id: string) => ends.get(_id)?.(),
    onClaim: (before: () => Promise<void>) => {
      beforeClaim = before
    },
  }
}

const inHand = ({ loop }: ReturnType<typeof openLoop>) => loop.inHand().map(({ _id }) => _id)

test('when documents wait, then those that have a place are worked on, and the next when one ends', async () => {
  const world = openLoop()
  for (const id of ['a', 'b', 'c']) await world.add(id)
  await world.loop.look()
  expect(inHand(world)).toEqual(['a', 'b'])
  world.end('a')
  await drained()
  expect(inHand(world)).toEqual(['b', 'c'])
  for (const id of ['b', 'c']) world.end(id)
  await world.loop.settled()
  expect(await world.stored('c')).toMatchObject({ isDone: true, lease: null })
})

test('when a document is added while the last reading is under way, then it is found', async () => {
  const world = openLoop()
  let looks = 0
  world.onClaim(async () => {
    looks += 1
    if (looks > 1) return
    // The following reading has begun without it.
    void world.loop.look()
  })
  await world.loop.look()
  expect(looks).toBe(2)
})

test('when reading fails, then the next look reads again', async () => {
  const world = openLoop()
  await world.add('a')
  world.onClaim(() => Promise.reject(new Error('away')))
  await world.loop.look()
  world.onClaim(async () => {})
  await world.loop.look()
  expect(inHand(world)).toEqual(['a'])
})

test('when the process stops, then its work is aborted and released, and nothing more is claimed', async () => {
  const world = openLoop()
  for (const id of ['a', 'b', 'c']) await world.add(id)
  await world.loop.look()
  world.loop.stop()
  await world.loop.settled()
  await world.loop.look()
  expect(inHand(world)).toEqual([])
  for (const id of ['a', 'b', 'c'])
    expect(await world.stored(id)).toMatchObject({ isDone: false, lease: null })
})

test('when the process stops while it claims, then what it claims is aborted and released before all is settled', async () => {
  const world = openLoop()
  await world.add('a')
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  world.onClaim(() => isRead)
  void world.loop.look()
  world.loop.stop()
  const settled = world.loop.settled()
  read()
  await settled
  expect(inHand(world)).toEqual([])
  expect(await world.stored('a')).toMatchObject({ isDone: false, lease: null })
})

test('when a process has died, then its documents are free again, and those of a living one are not', async () => {
  const world = openLoop()
  await world.add('a')
  await world.loop.look()
  await world.add('b', { owner: 'dead', term: 1, beat: 7 })
  for (let reading = 0; reading < 3; reading++) await world.hold.freeDead()
  expect([(await world.stored('a')).lease?.owner, (await world.stored('b')).lease]).toEqual([
    world.hold.owner,
    null,
  ])
})
