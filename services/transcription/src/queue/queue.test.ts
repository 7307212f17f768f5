import { reason } from '@voxscribe/contracts/reasons'
import { StorageAway } from '@voxscribe/service'
import { createMemory, drained, silentLog } from '@voxscribe/service/testing'
import { NotNow } from '@voxscribe/speech'
import { WORK_STEPS, type WorkStep } from '../note/record.ts'
import { createNotes } from '../note/store.ts'
import { received } from '../testing.ts'
import { createLoop, type StepWork } from './loop.ts'
import { createQueue, newWork } from './queue.ts'
import { createSpeakerWork } from './speakers.ts'
import { sweep } from './sweep.ts'
import { countWaiting, oldestSeconds } from './waiting.ts'

const eachAs = (work: StepWork) =>
  Object.fromEntries(WORK_STEPS.map(step => [step, work])) as Record<WorkStep, StepWork>

const LEASE_MS = 20_000
const SETTINGS = { NOTE_TIMEOUT: 60_000, QUEUE_TIMEOUT: 3_600_000 }
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Opens processes over one database, with simulated time. */
function openWorld() {
  const memory = createMemory()
  const clock = { ms: 0 }
  const now = () => new Date(clock.ms)
  const listening: ReturnType<typeof createLoop>[] = []
  const start = (
    work: StepWork['work'],
    limits: { atOnce?: number; fits?: object; measuring?: Partial<StepWork>; isListening?: boolean } = {},
  ) => {
    const documents = memory.documentsOf()
    const notes = createNotes(documents, now, ({ _id, status }) => {
      if (status !== 'processing') hold.drop(_id)
    })
    const hold = documents.hold(notes.model, 'work.lease', { leaseMs: LEASE_MS, elapsed: () => clock.ms })
    const step: StepWork = {
      short: { bytes: { $lte: 0 } },
      fits: () => limits.fits ?? {},
      secondsOf: () => 3,
      work,
    }
    const queue = createQueue(documents, notes, hold, now)
    const loop = createLoop({
      notes,
      hold,
      queue,
      steps: { ...eachAs(step), measuring: { ...step, ...limits.measuring } },
      atOnce: limits.atOnce ?? 1,
      shortAtOnce: 0,
      retryAfterMs: 1_000,
      now,
      log: silentLog,
      announce: step => {
        for (const each of listening) each.onQueuedElsewhere(step)
      },
    })
    if (limits.isListening) listening.push(loop)
    return { notes, hold, loop, queue }
  }
  /** Queues a note to be measured. */
  const put = (process: ReturnType<typeof start>, n: number, turn: number, about = {}) =>
    process.notes.received(
      received({ mediaId: idOf(n), userId: `user ${n}`, ...about }),
      newWork('measuring', turn, now()),
    )
  const settle = async (process: ReturnType<typeof start>) => {
    await process.hold.freeDead()
    await process.loop.lookAround()
    await drained()
  }
  /** Lets a process poll `times` times, half a lease apart. */
  async function looks(process: ReturnType<typeof start>, times: number) {
    for (let look = 0; look < times; look++) {
      await settle(process)
      clock.ms += LEASE_MS / 2
    }
  }
  const all = () => memory.all('transcriptions')
  const holder = () => all()[0]?.work.lease?.owner
  return { clock, now, start, put, settle, looks, all, holder }
}

const never = () => new Promise<void>(() => {})
const untilAborted: StepWork['work'] = (_note, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', reject))

test('when notes wait, then the lowest turn is claimed first, and no more than there are places', async () => {
  const { start, put, settle } = openWorld()
  const begun: string[] = []
  const process = start(
    note => {
      begun.push(note._id)
      return never()
    },
    { atOnce: 2 },
  )
  for (const [n, turn] of [5, 1, 3].entries()) await put(process, n, turn)
  await settle(process)
  await settle(process)
  expect(begun).toEqual([idOf(1), idOf(2)])
})

/** Opens a process that measures one long file at once, and this many short ones beside it. */
function openMeasuring(shortAtOnce: number) {
  const { start, put, settle } = openWorld()
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const process = start(
    note => {
      begun.push(note._id)
      return new Promise(resolve => ends.set(note._id, resolve))
    },
    {
      atOnce: 9,
      measuring: {
        places: 1,
        short: { bytes: { $lte: 60 } },
        shortAtOnce,
        secondsOf: ({ bytes }) => bytes,
      },
    },
  )
  return {
    begun,
    /** Queues notes of these bytes. */
    async begin(...notes: number[]) {
      for (const [n, bytes] of notes.entries()) await put(process, n, n, { bytes })
      await settle(process)
    },
    async end(n: number) {
      ends.get(idOf(n))!()
      await drained()
    },
  }
}

test('when long files take their places, then short notes have some of their own', async () => {
  const { begun, begin, end } = openMeasuring(1)
  await begin(7_200, 7_200, 5, 5)
  expect(begun).toEqual([idOf(0), idOf(2)])
  await end(2)
  expect(begun).toEqual([idOf(0), idOf(2), idOf(3)])
})

test('when short notes keep coming, then a long one begins in its turn', async () => {
  const { begun, begin, end } = openMeasuring(2)
  await begin(5, 5, 7_200, 5, 7_200, 5)
  expect(begun).toEqual([idOf(0), idOf(1)])
  await end(0)
  expect(begun.slice(2)).toEqual([idOf(2), idOf(3)])
  await end(1)
  expect(begun.slice(4)).toEqual([idOf(5)])
})

test('when a long note has its voices told apart, then a short one that was asked about later begins', async () => {
  const { start, put, settle } = openWorld()
  const begun: string[] = []
  const { work: _, giveUp: __, ...voices } = createSpeakerWork({} as Parameters<typeof createSpeakerWork>[0])
  const process = start(
    note => {
      begun.push(note._id)
      return never()
    },
    { atOnce: 9, measuring: voices },
  )
  for (const [n, durationSeconds] of [3_600, 3_600, 20, 20].entries()) {
    await put(process, n, n)
    await process.notes.model.updateOne({ _id: idOf(n) }, { $set: { durationSeconds } })
  }
  await settle(process)
  expect(begun).toEqual([idOf(0), idOf(2)])
})

test('when another process claims notes, then the turns given by this one follow', async () => {
  const { start, put, settle } = openWorld()
  const [other, process] = [start(never), start(never)]
  await put(other, 1, 700)
  await settle(other)
  await settle(process)
  expect((await process.queue.workFor('measuring', 'new', 20)).turn).toBe(701)
})

test('when two processes get notes of two people, but one of them only those of one, then the people take turns', async () => {
  const { start, settle, all } = openWorld()
  const [one, other] = [start(never), start(never)]
  const put = (process: typeof one, n: number, userId: string) =>
    process.queue.enqueue('measuring', userId, 3, work =>
      process.notes.received(received({ mediaId: idOf(n), userId }), work),
    )
  for (const [n, process] of [one, other].entries()) {
    await put(process, n, 'in hand')
    await settle(process)
  }
  for (let n = 2; n < 62; n += 3) {
    await put(one, n, 'many')
    await put(other, n + 1, 'many')
    await put(other, n + 2, 'few')
  }
  const waiting = all()
    .filter(({ work }) => !work.lease)
    .sort((a, b) => a.work.turn - b.work.turn)
  const next = waiting.slice(0, 20).map(({ userId }) => userId)
  expect(next.filter(userId => userId === 'few')).toHaveLength(10)
})

test('when notes of a person come at once, then each has a turn of its own', async () => {
  const { start, all } = openWorld()
  const process = start(never)
  const put = (n: number) =>
    process.queue.enqueue('measuring', 'ada', 3, work =>
      process.notes.received(received({ mediaId: idOf(n), userId: 'ada' }), work),
    )
  await Promise.all([1, 2, 3].map(put))
  expect(new Set(all().map(({ work }) => work.turn)).size).toBe(3)
})

test('when notes wait, then the metrics say how many, and since when the first does', async () => {
  const { clock, start, put, settle, now } = openWorld()
  const process = start(never)
  const { model } = process.notes
  expect([await countWaiting(model), await oldestSeconds(model, now())]).toEqual([0, 0])
  for (const n of [1, 2, 3]) {
    await put(process, n, n)
    clock.ms += 10_000
  }
  await settle(process)
  // The first is in hand.
  expect([await countWaiting(model), await oldestSeconds(model, now())]).toEqual([2, 20])
})

test('when notes wait for an engine, then a note knows how many seconds are before its turn', async () => {
  const { start, put, settle } = openWorld()
  const process = start(never)
  for (let n = 0; n < 6; n++) {
    await put(process, n, n)
    const set = { durationSeconds: 10, 'work.step': 'listening' }
    await process.notes.model.updateOne({ _id: idOf(n) }, { $set: set })
  }
  await settle(process)
  // Turn 0 is in hand.
  expect(await process.queue.before(4)).toEqual({ seconds: 40, inHand: 1 })
  expect(await process.queue.before(0)).toEqual({ seconds: 0, inHand: 1 })
})

test('when work fails, then it is tried again later each time, and the note fails after the last', async () => {
  const { clock, start, put, settle, all } = openWorld()
  let runs = 0
  const process = start(async () => {
    runs += 1
    throw new Error('broken')
  })
  await put(process, 1, 1)
  for (const [index, seconds] of [0, 1, 5, 30, 120, 600].entries()) {
    clock.ms += seconds * 1_000 - 1
    await settle(process)
    expect(runs).toBe(index)
    clock.ms += 1
    await settle(process)
    await process.loop.settled()
    expect(runs).toBe(index + 1)
  }
  expect(all()).toMatchObject([{ status: 'failed', work: null, error: { code: 'transcription_failed' } }])
})

test.each([
  ['an engine', new NotNow('closed', 10_000)],
  ['the store of audio', new StorageAway('unread')],
])('when %s cannot be asked for now, then the note waits and uses up no try', async (_what, error) => {
  const { start, put, settle, all } = openWorld()
  const process = start(() => Promise.reject(error))
  await put(process, 1, 1)
  await settle(process)
  await process.loop.settled()
  const work = { tries: 0, lease: null, notBefore: new Date(10_000) }
  expect(all()).toMatchObject([{ status: 'processing', work }])
})

test('when a process stops, then the note in hand is released at once and another goes on', async () => {
  const { start, put, settle, all, holder } = openWorld()
  const first = start(untilAborted)
  const second = start(never)
  await put(first, 1, 1)
  await settle(first)
  first.loop.stop()
  await first.loop.settled()
  expect(all()).toMatchObject([{ work: { tries: 0, lease: null } }])
  await settle(second)
  expect(holder()).toBe(second.hold.owner)
})

test('when a process dies, then another takes its note over once the lease has run out', async () => {
  const { start, put, settle, looks, holder } = openWorld()
  const [first, second] = [start(never), start(never)]
  await put(first, 1, 1)
  await settle(first)
  await looks(second, 2)
  expect(holder()).toBe(first.hold.owner)
  await settle(second)
  expect(holder()).toBe(second.hold.owner)
})

test('when all places are taken, then the note of a dead process comes back in its turn', async () => {
  const { start, put, settle, looks, all } = openWorld()
  const dead = start(never)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const busy = start(note => {
    begun.push(note._id)
    return new Promise(resolve => ends.push(resolve))
  })
  await put(dead, 1, 1)
  await settle(dead)
  await put(busy, 2, 2)
  await put(busy, 3, 3)
  await looks(busy, 4)
  ends[0]!()
  await drained()
  expect(begun).toEqual([idOf(2), idOf(1)])
  expect(all()).toMatchObject([{ work: { tries: 0 } }, {}, {}])
})

test('when a process cannot do a note, then it leaves it in the queue', async () => {
  const { start, put, settle, holder } = openWorld()
  const english = start(never, { fits: { language: 'en' } })
  await put(english, 1, 1, { language: 'de' })
  await settle(english)
  expect(holder()).toBeUndefined()
  const german = start(never)
  await settle(german)
  expect(holder()).toBe(german.hold.owner)
})

test('when 3,000 notes wait at a restart, then a newcomer comes behind those of others', async () => {
  const { start, put, settle } = openWorld()
  const process = start(never)
  for (let n = 0; n < 3_000; n++) await put(process, n, 500 + n / 20)
  await settle(process)
  const { queue } = start(never)
  expect((await queue.workFor('measuring', 'new', 3)).turn).toBeGreaterThan(500)
  // A person's next note queues behind their others.
  expect((await queue.workFor('measuring', 'user 2999', 3)).turn).toBe(500 + 2999 / 20 + 3)
})

test('when work makes no progress for too long, then the sweeper ends it; progress counts', async () => {
  const { clock, now, start, put, settle, all } = openWorld()
  const process = start(untilAborted)
  await put(process, 1, 1)
  await settle(process)
  clock.ms += 2 * SETTINGS.NOTE_TIMEOUT
  const failed: typeof process.notes.failed = async (...of) => {
    await process.notes.model.updateOne({ _id: idOf(1) }, { $set: { since: now() } })
    return process.notes.failed(...of)
  }
  const { notes, hold } = process
  await sweep({ notes: { ...notes, failed }, hold, settings: SETTINGS }, now())
  expect(all()).toMatchObject([{ status: 'processing' }])
  clock.ms += 2 * SETTINGS.NOTE_TIMEOUT
  await sweep({ notes, hold, settings: SETTINGS }, now())
  expect(all()).toMatchObject([{ status: 'failed', error: { code: 'timed_out' } }])
  await process.loop.settled()
})

test('when a note’s process died long ago, then the note continues instead of timing out', async () => {
  const { clock, now, start, put, settle, looks, holder } = openWorld()
  const [dead, next] = [start(never), start(never)]
  await put(dead, 1, 1)
  await settle(dead)
  clock.ms += 2 * SETTINGS.NOTE_TIMEOUT
  await sweep({ notes: next.notes, hold: next.hold, settings: SETTINGS }, now())
  await looks(next, 3)
  expect(holder()).toBe(next.hold.owner)
})

test('when a note is put back again and again, then it fails when its time in the queue is over', async () => {
  const { clock, now, start, put, settle, all } = openWorld()
  const process = start(() => Promise.reject(new Error('broken')))
  await put(process, 1, 1)
  clock.ms += SETTINGS.QUEUE_TIMEOUT + 1
  // The claim does not count as progress.
  await settle(process)
  await process.loop.settled()
  expect(all()).toMatchObject([{ status: 'processing', since: now() }])
  await sweep({ notes: process.notes, hold: process.hold, settings: SETTINGS }, now())
  expect(all()).toMatchObject([{ status: 'failed', error: { code: 'timed_out' } }])
})

describe('when three processes share the work', () => {
  /** Opens three processes with one place each; `claimed` lists people in the order of the claims. */
  function openThree() {
    const world = openWorld()
    const claimed: string[] = []
    let sent = 0
    const start = () => {
      let ends = () => {}
      const process = world.start(async note => {
        claimed.push(note.userId)
        await new Promise<void>(resolve => {
          ends = resolve
        })
        await process.notes.failed(note, reason('transcription_failed'))
      })
      return {
        ...process,
        /** Ends the work in hand, so that the next note is claimed. */
        async advance() {
          ends()
          await world.settle(process)
        },
        async send(userId: string, count: number) {
          for (let n = 0; n < count; n++) {
            sent += 1
            const event = received({ mediaId: idOf(sent), userId })
            await process.queue.enqueue('measuring', userId, 3, work => process.notes.received(event, work))
          }
        },
      }
    }
    const processes = [start(), start(), start()] as const
    /** Counts the claims of others between the arrival of a person's note and its claim. */
    async function claimsBefore(userId: string, working: readonly (typeof processes)[number][]) {
      const from = claimed.length
      while (!claimed.includes(userId)) for (const each of working) await each.advance()
      return claimed.indexOf(userId) - from
    }
    return { processes, claimed, claimsBefore }
  }

  test.each([0, 1, 2])(
    'and one person has 300 notes in the queue, then another’s one that comes to process %i is next',
    async at => {
      const { processes, claimsBefore } = openThree()
      for (const process of processes) await process.send('ada', 100)
      for (let round = 0; round < 20; round++) for (const process of processes) await process.advance()
      await processes[at]!.send('bob', 1)
      expect(await claimsBefore('bob', processes)).toBeLessThan(processes.length)
    },
  )

  test('and a hundred notes come to one that has claimed nothing for long, then they do not pass those of others', async () => {
    const { processes, claimsBefore } = openThree()
    const [first, second, busy] = processes
    await busy.send('eve', 1)
    await busy.advance()
    for (const process of processes) await process.send('ada', 100)
    for (let round = 0; round < 30; round++) for (const process of [first, second]) await process.advance()
    await busy.send('carol', 100)
    await first.send('bob', 1)
    expect(await claimsBefore('bob', [first, second])).toBeLessThan(processes.length)
  })
})
