import { deepEqual } from 'node:assert/strict'
import {
  type Envelope,
  type EventOf,
  flow,
  MediaExpired,
  MediaNormalised,
  NoteWithdrawn,
  QuotaExceeded,
  QuotaReserved,
  TranscriptionCompleted,
  TranscriptionDeleted,
  TranscriptionFailed,
} from '@voxscribe/contracts/events'
import { reason } from '@voxscribe/contracts/reasons'
import type { RateLimits } from '@voxscribe/service'
import {
  type AnswerWay,
  createMemory,
  drained,
  must,
  mustEqual,
  schedules,
  silentLog,
} from '@voxscribe/service/testing'
import { type Speech, Unworkable } from '@voxscribe/speech'
import fc from 'fast-check'
import { createDeleting } from '../api/deleting.ts'
import { createHandlers } from '../api/handlers.ts'
import { createSteps } from '../pipeline.ts'
import { createLoop } from '../queue/loop.ts'
import { createQueue } from '../queue/queue.ts'
import { sweep } from '../queue/sweep.ts'
import { received } from '../testing.ts'
import type { NoteRecord } from './record.ts'
import { createSameAudio } from './same-audio.ts'
import { createNotes } from './store.ts'

const unlimited = (() => ({ count: async () => {} })) as unknown as RateLimits

const SECONDS = 6
const HOUR = 3_600_000
const NOTES: readonly string[] = [
  '00000000-0000-4000-8000-000000000001',
  '00000000-0000-4000-8000-000000000002',
]
const SETTINGS = { NOTE_TIMEOUT: 2 * HOUR, QUEUE_TIMEOUT: 6 * HOUR }
const handlerOf = new Map(Object.entries(flow).map(([name, { event }]) => [event.name, name]))

/** A call to the database, or its response, in transit. */
interface Call {
  replica: number
  go(answer?: AnswerWay): void
  fail(error: Error): void
}

/** Failure of a piece of work with the audio. */
type Trouble = 'broken' | 'unworkable'

/** Two transcription processes over one database; the test acts as billing and as the sender. */
function openWorld({ isSame, minutes }: { isSame: boolean; minutes: boolean[] }) {
  const memory = createMemory()
  const world = {
    at: 0,
    hasEngine: true,
    isFree: false,
    calls: [] as Call[],
    messages: [] as Envelope[],
    delivered: [] as Envelope[],
    published: [] as Envelope[],
    /** Attempts that the engine has recognized. */
    heard: [] as string[],
    troubles: [] as Trouble[],
    withdrawn: new Set<string>(),
    running: 0,
    sendIn: (event: Envelope) => world.messages.push(event),
    notes: () => memory.all('transcriptions') as NoteRecord[],
  }
  const now = () => new Date(world.at)

  function sent(event: Envelope) {
    if (!world.published.some(({ id }) => id === event.id)) world.published.push(event)
    if (event.type !== MediaNormalised.name) return
    const asked = event as EventOf<'MediaNormalised'>
    const { seconds, attempt, transcriptionId } = asked.data
    const isGranted = seconds === 0 || minutes[(attempt + NOTES.indexOf(transcriptionId)) % minutes.length]
    const facts = { ...asked.data, remainingSeconds: 1, periodEnd: now().toISOString() }
    world.sendIn((isGranted ? QuotaReserved : QuotaExceeded).causedBy(asked, facts))
  }

  function startReplica(number: number) {
    let isDead = false
    const turn = () => {
      if (isDead) return Promise.reject(new Error('This process is dead'))
      if (world.isFree) return Promise.resolve(undefined)
      return new Promise<AnswerWay | undefined>((go, fail) => world.calls.push({ replica: number, go, fail }))
    }
    const documents = memory.documentsOf(turn, sent)
    const notes = createNotes(documents, now, note => {
      if (note.status !== 'processing' || note.deletedAt) hold.drop(note._id)
      void sameAudio.changed(note)
    })
    const hold = documents.hold(notes.model, 'work.lease', { leaseMs: HOUR, elapsed: () => world.at })
    const queue = createQueue(documents, notes, hold, now)
    const engine = { name: 'sphinx' }
    const mustWait = () => !world.hasEngine
    const engines = { ladder: () => [engine], mustWait } as never
    const repeats = { count: async () => {}, giveBack: async () => {} }
    const sameAudio = createSameAudio({ notes, repeats, mustWait, log: silentLog })
    const trouble = async () => {
      await turn()
      const next = world.troubles.shift()
      if (next === 'broken') throw new Error('The work broke')
      if (next === 'unworkable') throw new Unworkable(reason('transcription_failed'))
    }
    const sounds = {
      async measure() {
        await trouble()
        return { durationSeconds: SECONDS, isSilent: false, levels: [], spoken: [0, SECONDS] }
      },
      async use({ _id, attempt }: NoteRecord) {
        world.heard.push(`${_id} ${attempt}`)
        await trouble()
        return { speech: speechOf(`${_id} ${attempt}`), spoken: [] }
      },
    } as never
    const secondListener = { offer() {} } as never
    const loop = createLoop({
      notes,
      hold,
      queue,
      steps: {
        ...createSteps(
          {
            ...{ notes, sounds, sameAudio, engines, ownWords, secondListener, now },
            budget: {} as never,
            voices: {} as never,
            gists: async note => note,
            forms: { fitting: async () => [] },
            formTexts: async note => note,
            storePlayed: async () => null,
            textWork: { isOn: () => false, automatically: (_note, make) => make() },
            changed: () => {},
          },
          queue,
        ),
        voices: { secondsOf: () => 0, work: async () => {} },
      },
      atOnce: 2,
      shortAtOnce: 1,
      retryAfterMs: 0,
      now,
      log: silentLog,
      announce: () => {},
    })
    const handlers = createHandlers({
      sells: true,
      notes,
      queue,
      loop,
      sameAudio,
      deletion: createDeleting(notes, unlimited),
      placeOfUpload: async () => null,
      publicUrl: '',
    }) as Record<string, (event: Envelope) => Promise<void>>
    return {
      notes,
      async handle(event: Envelope) {
        world.running += 1
        try {
          await handlers[handlerOf.get(event.type)!]!(event)
          world.delivered.push(event)
        } catch {
          world.messages.push(event)
        } finally {
          world.running -= 1
        }
      },
      async look() {
        await hold.freeDead()
        await loop.lookAround()
      },
      resume: sameAudio.resume,
      sweep: () => sweep({ notes, hold, settings: SETTINGS }, now()),
      die() {
        isDead = true
        loop.stop()
      },
    }
  }

  const replicas = [startReplica(0), startReplica(1)]
  return Object.assign(world, {
    replicas,
    /** Kills a process. `arrive`: bits that say which of its calls to the database still arrive. */
    kill(number: number, arrive: number) {
      replicas[number]!.die()
      const dead = world.calls.filter(({ replica }) => replica === number)
      world.calls = world.calls.filter(({ replica }) => replica !== number)
      for (const [index, { go, fail }] of dead.entries())
        if ((arrive >> index) % 2) go(LOST)
        else fail(new Error('Never sent'))
      replicas[number] = startReplica(number)
    },
    receive: (_id: string) =>
      world.sendIn(
        received({ mediaId: _id, userId: 'ada', sha256: (isSame ? 'a' : _id.slice(-1)).repeat(64) }),
      ),
  })
}
type World = ReturnType<typeof openWorld>

const LOST: AnswerWay = () => Promise.reject(new Error('The answer was lost'))

const speechOf = (text: string): Speech => ({
  text,
  segments: [],
  timesExact: false,
  wordCount: 2,
  confidence: null,
  spokenLanguage: 'en',
  engine: { name: 'sphinx', model: null, instead: [] },
  engineCost: 0,
  notices: [],
})

const taken = <T>(list: T[], at: number): T | undefined => list.splice(at % Math.max(1, list.length), 1)[0]

interface Moment {
  world: World
  process: World['replicas'][number]
  /** Id of one of the notes. */
  id: string
  pick: number
}

/** Happenings with their weights. A rejection is a failure of the database. */
const HAPPENINGS = {
  deliver: [
    160,
    ({ world, process, pick }) => {
      const message = taken(world.messages, pick)
      return message && process.handle(message)
    },
  ],
  again: [
    20,
    ({ world, pick }) =>
      world.delivered.length && world.sendIn(world.delivered.at(pick % world.delivered.length)!),
  ],
  call: [160, ({ world, pick }) => taken(world.calls, pick)?.go()],
  calls: [30, ({ world }) => world.calls.splice(0).map(({ go }) => go())],
  refuse: [5, ({ world, pick }) => taken(world.calls, pick)?.fail(new Error('Not reached'))],
  lose: [5, ({ world, pick }) => taken(world.calls, pick)?.go(LOST)],
  slow: [
    10,
    ({ world, pick }) => {
      const call = taken(world.calls, pick)
      call?.go(() => new Promise((go, fail) => world.calls.push({ ...call, go: () => go(), fail })))
    },
  ],
  hours: [30, ({ world, pick }) => (world.at += (1 + (pick % 4)) * HOUR)],
  kill: [9, ({ world, process, pick }) => world.kill(world.replicas.indexOf(process), pick)],
  look: [9, ({ process }) => process.look()],
  resume: [9, ({ process }) => process.resume()],
  sweep: [9, ({ process }) => process.sweep()],
  engine: [9, ({ world }) => (world.hasEngine = !world.hasEngine)],
  broken: [9, ({ world }) => world.troubles.push('broken')],
  unworkable: [9, ({ world }) => world.troubles.push('unworkable')],
  refresh: [
    12,
    ({ world, process, id }) => {
      const found = world.notes().find(({ _id, deletedAt }) => _id === id && !deletedAt)
      return found && process.notes.refreshed(found, { language: 'auto', askedEngine: null })
    },
  ],
  delete: [12, ({ process, id }) => process.notes.deleted(id, 'ada')],
  withdraw: [
    12,
    ({ world, id }) => {
      world.withdrawn.add(id)
      world.sendIn(NoteWithdrawn.create({ mediaId: id, userId: 'ada' }))
    },
  ],
  expire: [12, ({ world, id }) => world.sendIn(MediaExpired.create({ mediaId: id, userId: 'ada' }))],
} satisfies Record<string, [number, (moment: Moment) => unknown]>
type What = keyof typeof HAPPENINGS

const happening = fc.record({
  what: fc.oneof(
    ...(Object.keys(HAPPENINGS) as What[]).map(what => ({
      weight: HAPPENINGS[what][0],
      arbitrary: fc.constant(what),
    })),
  ),
  replica: fc.constantFrom(0, 1),
  note: fc.constantFrom(0, 1),
  pick: fc.nat(63),
})
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never
const first = (what: What, pick = 0): Happening => ({ what, replica: 0, note: 0, pick })

function happen(world: World, { what, replica, note, pick }: Happening): void {
  const [, begin]: [number, (moment: Moment) => unknown] = HAPPENINGS[what]
  const done = begin({ world, process: world.replicas[replica]!, id: NOTES[note]!, pick })
  void Promise.resolve(done).catch(() => {})
}

/** Ends all trouble and works through whatever waits, until nothing is left to do. */
async function settle(world: World, stepMs: number): Promise<void> {
  world.isFree = true
  world.hasEngine = true
  world.troubles = []
  for (const { go } of world.calls.splice(0)) go()
  for (let round = 0; round < 50; round++) {
    await drained()
    for (const [index, message] of world.messages.splice(0).entries())
      void world.replicas[(round + index) % 2]!.handle(message)
    for (const { look, resume } of world.replicas) await Promise.all([look(), resume()])
    world.at += stepMs
    if (
      !world.messages.length &&
      !world.running &&
      !world.notes().some(({ status }) => status === 'processing')
    )
      return
  }
}

/** A note as last seen, from which it can only move forward. */
interface Seen {
  attempt: number
  completedAttempt: number | null
  isDeleted: boolean
}

function look(world: World, before: Map<string, Seen>): void {
  for (const { _id, attempt, completedAttempt, deletedAt, text } of world.notes()) {
    const seen = before.get(_id)
    const isDeleted = deletedAt !== null
    const hasText = Boolean(text)
    // Without `expect`, as this runs a million times.
    if (seen?.isDeleted && !isDeleted) throw new Error(`${_id} is there again`)
    if (isDeleted && hasText) throw new Error(`${_id} is deleted and has a text`)
    if (seen && attempt < seen.attempt) throw new Error(`${_id} is at attempt ${attempt} again`)
    if ((seen?.completedAttempt ?? 0) > (completedAttempt ?? 0)) throw new Error(`${_id} has an older text`)
    // A refresh that fails keeps the previous text.
    if (completedAttempt && !isDeleted && !hasText) throw new Error(`${_id} has lost its text`)
    before.set(_id, { attempt, completedAttempt, isDeleted })
  }
}

/** Returns the data of the published events of a type. */
const sentOf = <E extends Envelope>(
  { published }: World,
  { name }: { name: string; create(...of: never[]): E },
) => published.filter(({ type }) => type === name).map(({ data }) => data as E['data'])

/** Checks that all notes have ended, deletions were published once, and attempts with minutes got one end at most. */
function check(world: World): void {
  mustEqual(world.messages, [])
  const asked = sentOf(world, MediaNormalised)
  const completed = sentOf(world, TranscriptionCompleted)
  const failed = sentOf(world, TranscriptionFailed)
  const deleted = sentOf(world, TranscriptionDeleted).map(({ mediaId }) => mediaId)
  mustEqual(new Set(deleted).size, deleted.length)
  for (const note of world.notes()) {
    const { _id, status, completedAttempt, attempt, deletedAt } = note
    must(status !== 'processing', _id, note.stage, note.work)
    mustEqual([note.stage, note.work], [null, null])
    const attemptsIn = (sent: { transcriptionId: string; attempt: number }[]) =>
      sent.filter(({ transcriptionId }) => transcriptionId === _id).map(each => each.attempt)
    const ended = attemptsIn([...completed, ...failed])
    mustEqual(new Set(ended).size, ended.length)
    // The last attempt must not hold minutes; billing asks about one that another has replaced.
    must(!attemptsIn(asked).includes(attempt) || ended.includes(attempt), _id, attempt, ended)
    must(!world.withdrawn.has(_id) || deletedAt !== null, _id, 'is withdrawn')
    if (deletedAt) continue
    mustEqual(status === 'completed', completedAttempt !== null)
    if (!completedAttempt || note.sameAs) continue
    mustEqual(note.text, `${_id} ${completedAttempt}`)
    const paid = completed.find(each => each.transcriptionId === _id && each.attempt === completedAttempt)
    mustEqual(paid?.seconds, SECONDS)
  }
}

interface Life {
  isSame: boolean
  minutes: boolean[]
  happenings: Happening[]
}

/** After these, a note may have to wait until a lease has run out. */
const isTrouble = ({ what }: Happening) => ['kill', 'lose', 'refuse', 'hours'].includes(what)

async function live({ happenings, ...facts }: Life): Promise<World> {
  const world = openWorld(facts)
  for (const id of NOTES) world.receive(id)
  const seen = new Map<string, Seen>()
  for (const it of happenings) {
    happen(world, it)
    await drained()
    look(world, seen)
  }
  await settle(world, happenings.some(isTrouble) ? HOUR : 0)
  look(world, seen)
  for (const each of world.replicas) each.die()
  await new Promise(setImmediate)
  return world
}

const life = fc.record({
  isSame: fc.boolean(),
  minutes: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  happenings: fc.array(happening, { minLength: 10, maxLength: 50, size: 'max' }),
})

test('when messages repeat in any order and processes die, then each note ends once', async () => {
  await fc.assert(
    fc.asyncProperty(life, async given => check(await live(given))),
    schedules(0.5),
  )
})

const ownWords = { forUser: async () => ({ words: [], replacements: [] }), refused: async () => {} }

test('when no process dies and no answer is lost, then no note waits for a lease to run out', async () => {
  const calm = life.map(given => ({ ...given, happenings: given.happenings.filter(it => !isTrouble(it)) }))
  await fc.assert(
    fc.asyncProperty(calm, async given => check(await live(given))),
    schedules(0.5),
  )
})

test('when a note is withdrawn in the moment in which it arrives, then it is gone', async () => {
  const way = [first('withdraw'), first('deliver', 2), first('call'), first('deliver'), first('call', 1)]
  check(await live({ isSame: false, minutes: [true], happenings: way }))
})

test('when billing’s answer to an earlier attempt comes again, then the next one waits for its own', async () => {
  const world = openWorld({ isSame: false, minutes: [true] })
  world.receive(NOTES[0]!)
  await settle(world, 0)
  const earlier = world.delivered.find(({ type }) => type === QuotaReserved.name)!
  happen(world, first('refresh'))
  await drained()
  world.messages = []
  await world.replicas[0]!.handle(earlier)
  const notes = world.notes().map(({ attempt, stage }) => ({ attempt, stage }))
  // Without `expect`, which `npm run models` lacks.
  deepEqual(notes, [{ attempt: 2, stage: 'reserving' }])
  for (const each of world.replicas) each.die()
})
