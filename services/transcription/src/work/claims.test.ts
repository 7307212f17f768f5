import { MediaReceived } from '@voxscribe/contracts/events'
import { createMemory } from '@voxscribe/service/testing'
import type { SavedPart } from '../hearing/speech.ts'
import { sweep } from '../jobs.ts'
import { createNotes } from '../note/store.ts'
import type { TranscriptionSettings } from '../settings.ts'
import { SOURCE } from '../testing.ts'
import type { InHand } from './in-hand.ts'
import { createLeases } from './leases.ts'

const LEASE_MS = 20_000
const note = { _id: '00000000-0000-4000-8000-000000000001', attempt: 1 }
const length = { durationSeconds: 6, isSilent: false, levels: [] }
const part: SavedPart = {
  ...{ from: 0, to: 6, engine: 'sphinx', asked: 'auto' },
  ...{ segments: [], language: 'en', timesExact: true },
}
const settings = { NOTE_TIMEOUT: 60_000, QUEUE_TIMEOUT: 3_600_000 } as TranscriptionSettings
const reserved = { id: 'r', traceId: 't', seconds: 6, remainingSeconds: 100 }

/** Two processes over one database, and the time that they see pass. */
function openWorld() {
  const memory = createMemory()
  const clock = { ms: 0 }
  const startProcess = () => {
    const documents = memory.documentsOf(
      async () => undefined,
      () => {},
    )
    const leases = createLeases(LEASE_MS, () => clock.ms)
    return createNotes(
      documents,
      leases,
      () => new Date(clock.ms),
      () => {},
    )
  }
  return { clock, first: startProcess(), second: startProcess() }
}

async function measured({ first, second }: ReturnType<typeof openWorld>) {
  await first.received(
    MediaReceived.create({
      mediaId: note._id,
      userId: 'ada',
      objectKey: note._id,
      mime: 'audio/ogg',
      bytes: 12_000,
      sha256: 'a'.repeat(64),
      fileName: 'note.ogg',
      language: 'auto',
      source: SOURCE,
    }),
  )
  const begun = (await first.begin('measuring', note))!
  expect(await second.abandoned('measuring', () => false)).toBeNull()
  await first.askForMinutes(begun, length)
}

test('when a process that measured a note takes it up again much later, then it keeps it for as long as a lease lasts', async () => {
  const world = openWorld()
  const { clock, first, second } = world
  const abandoned = () => second.abandoned('listening', () => false)
  await measured(world)

  clock.ms += 3 * LEASE_MS
  await first.begin('listening', note, { reserved })
  expect(await abandoned()).toBeNull()
  clock.ms += LEASE_MS / 2
  expect(await abandoned()).toBeNull()
  clock.ms += LEASE_MS / 2 - 1
  expect(await abandoned()).toBeNull()
  clock.ms += 1
  expect(await abandoned()).toMatchObject({ note: { _id: note._id } })
  expect(await first.renew(note)).toBe(false)
})

test('when everybody stood still for longer than a lease lasts, then whoever works on the note keeps it', async () => {
  const world = openWorld()
  const { clock, first, second } = world
  const abandoned = () => second.abandoned('listening', () => false)
  await measured(world)
  await first.begin('listening', note, { reserved })
  expect(await abandoned()).toBeNull()

  // The database was away, or the machine asleep; the other process is the first to look again.
  clock.ms += 10 * LEASE_MS
  expect(await abandoned()).toBeNull()
  expect(await first.renew(note)).toBe(true)
  clock.ms += LEASE_MS / 2
  expect(await abandoned()).toBeNull()
  expect(await first.renew(note)).toBe(true)
})

test('when a note makes progress just before the sweeper ends it, then it goes on', async () => {
  const world = openWorld()
  const { clock, first, second } = world
  await measured(world)
  await first.begin('listening', note, { reserved })
  clock.ms += 2 * settings.NOTE_TIMEOUT
  const stopped: string[] = []
  const inHand = { stop: (id: string) => void stopped.push(id) } as InHand
  const failed: typeof second.failed = async (...of) => {
    await first.savePart(note, part)
    return second.failed(...of)
  }
  await sweep({ notes: { ...second, failed }, inHand, settings }, new Date(clock.ms))
  expect(await first.byId(note._id)).toMatchObject({ status: 'processing' })
  expect(stopped).toEqual([])

  clock.ms += 2 * settings.NOTE_TIMEOUT
  await sweep({ notes: second, inHand, settings }, new Date(clock.ms))
  expect(await first.byId(note._id)).toMatchObject({ status: 'failed' })
  expect(stopped).toEqual([note._id])
})
