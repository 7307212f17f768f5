import { openDocuments, startTestBackings, type TestBackings } from '@voxscribe/service/testing'
import { createNotes } from '../note/store.ts'
import { received } from '../testing.ts'
import { newWork } from './queue.ts'
import { createWaiting } from './waiting.ts'

const NOW = new Date('2026-11-25T12:00:00Z')
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)
let backings: TestBackings
let opened: Awaited<ReturnType<typeof openDocuments>>[] = []
/** Each case has a database of its own. */
let cases = 0
beforeAll(async () => {
  backings = await startTestBackings()
})
afterEach(async () => {
  for (const documents of opened) await documents.close()
  opened = []
  cases += 1
})
afterAll(() => backings.stop())

/** A process of the service, with the commands that it has sent to the database. */
async function start(isAlone = false) {
  const documents = await openDocuments(
    backings.mongoUrl,
    `${backings.env.MONGO_DB_PREFIX}_waiting_${cases}`,
    () => {},
  )
  opened.push(documents)
  const notes = createNotes(
    documents,
    () => NOW,
    () => {},
  )
  await documents.makeIndexes()
  const reads: string[] = []
  for (const call of ['countDocuments', 'find'] as const) {
    const original = notes.model[call].bind(notes.model) as (...args: unknown[]) => never
    Object.assign(notes.model, {
      [call]: (...args: unknown[]) => {
        reads.push(call)
        return original(...args)
      },
    })
  }
  const waiting = createWaiting({ documents, notes, isAlone, now: () => NOW })
  /** Puts notes of 10 s behind each other, at turns 0, 1, 2 … */
  const put = async (count: number, inHand = 0) => {
    for (let turn = 0; turn < count + inHand; turn++) {
      const work = newWork('listening', turn, ago(count + inHand - turn))
      const note = await notes.received(received({ userId: `user ${turn}` }), work)
      const lease = turn < inHand ? { owner: 'another', term: 1, beat: 0 } : null
      const set = { durationSeconds: 10, 'work.lease': lease }
      await notes.model.updateOne({ _id: note?._id ?? '' }, { $set: set })
    }
  }
  return { waiting, put, reads }
}

test('when notes wait, then it knows how many seconds are before a turn, and how many are in hand', async () => {
  const { waiting, put } = await start(true)
  expect(waiting.before(50)).toEqual({ seconds: 0, inHand: 0 })
  await put(120, 3)
  await waiting.look()
  // Turns 0 to 2 are in hand. Every third of the others is a point.
  expect(waiting.before(2)).toEqual({ seconds: 0, inHand: 3 })
  expect(waiting.before(1_000)).toEqual({ seconds: 1_200, inHand: 3 })
  const half = waiting.before(62).seconds
  expect(Math.abs(half - 600)).toBeLessThanOrEqual(30)
})

test('when notes have come since, then those of this process count until they are claimed', async () => {
  const { waiting, put } = await start(true)
  await put(2)
  await waiting.look()
  waiting.put(5, 60)
  waiting.put(9, 60)
  expect([1, 5, 9].map(turn => waiting.before(turn).seconds)).toEqual([20, 80, 140])
  waiting.claimed(5)
  expect(waiting.before(9).seconds).toBe(80)
  // They are in the database by then, and are not counted twice.
  await waiting.look()
  expect(waiting.before(9).seconds).toBe(20)
})

test('when there are three processes, then one of them measures, and another once it is gone', async () => {
  const all = [await start(), await start(), await start()]
  await all[0]!.put(4)
  const measured = () => all.filter(({ reads }) => reads.length).map(each => all.indexOf(each))
  for (let round = 0; round < 4; round++) for (const { waiting } of all) await waiting.look()
  expect(measured()).toEqual([0])
  for (const { waiting } of all) expect(waiting.before(10).seconds).toBe(40)
  for (let round = 0; round < 3; round++) for (const { waiting } of all.slice(1)) await waiting.look()
  expect(measured()).toEqual([0, 1])
})

test('when nothing waits, then a look is a count and a read of what is in hand', async () => {
  const { waiting, reads } = await start(true)
  await waiting.look()
  expect(reads).toEqual(['countDocuments', 'find'])
})
