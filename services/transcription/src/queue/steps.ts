import { type Reason, reason } from '@voxscribe/contracts/reasons'
import { histogram, inSpan, isDatabaseAway, isStorageAway, type Logger } from '@voxscribe/service'
import {
  bordersOf,
  CORES,
  type Engine,
  EngineGone,
  type Engines,
  firstThatServes,
  inTurns,
  isEngine,
  knows,
  listenTo,
  NotNow,
  SHORT_NOTE_SECONDS,
  type SkippedEngine,
  type Sound,
  type Sounds,
  silence,
  speakersOf,
  turnsOfSides,
  Unworkable,
} from '@voxscribe/speech'
import type { OwnWordsStore } from '../note/own-words.ts'
import type { StorePlayed } from '../note/played.ts'
import type { NoteRecord, Work } from '../note/record.ts'
import type { SameAudio } from '../note/same-audio.ts'
import type { Notes } from '../note/store.ts'
import { engineMetrics as metrics } from './engine-metrics.ts'
import { likelyLanguageIn } from './likely-language.ts'
import { isLastTry, NoteWaits, type StepWork } from './loop.ts'
import type { SecondListener } from './second-listener.ts'
import type { Budget } from './spending.ts'

const stageSeconds = histogram({
  name: 'transcription_stage_duration_seconds',
  help: 'Time of a stage of a note, without waiting for it',
  labelNames: ['stage'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800],
})
const beyondEngine = histogram({
  name: 'transcription_beyond_engine_seconds',
  help: 'From the arrival of a note to its text, without the time that its engine took',
  buckets: [1, 2.5, 5, 15, 60, 300, 1800, 7200],
})

/** Notes that need no engine: silent ones, and ones not measured yet. */
const NEEDS_NO_ENGINE = [{ isSilent: true }, { durationSeconds: null }]

/** Assumed until a note is measured: WhatsApp's Opus has 16 kbit/s. */
const BYTES_PER_SECOND = 2_000

export const secondsOfBytes = (bytes: number) => bytes / BYTES_PER_SECOND

function measured(
  { sounds, storePlayed }: Pick<Deps, 'sounds' | 'storePlayed'>,
  note: NoteRecord,
  signal: AbortSignal,
) {
  const ended = stageSeconds.startTimer({ stage: 'normalise' })
  return inSpan('normalise', async () => {
    const facts = await sounds.measure(note, signal, clip => storePlayed(note, clip))
    ended()
    return facts
  })
}

/** Measures a note, then asks for its minutes. CPU-bound, so long files may take only half of the cores. */
export const createMeasuring = ({
  sameAudio,
  ...deps
}: Pick<Deps, 'sounds' | 'storePlayed'> & { sameAudio: SameAudio }): StepWork => ({
  secondsOf: ({ bytes }) => secondsOfBytes(bytes),
  places: Math.ceil(CORES / 2),
  short: { bytes: { $lte: SHORT_NOTE_SECONDS * BYTES_PER_SECOND } },
  shortAtOnce: CORES,
  work: async (note, signal) => sameAudio.advance({ ...note, ...(await measured(deps, note, signal)) }),
})

interface Deps {
  notes: Notes
  sounds: Sounds
  storePlayed: StorePlayed
  engines: Engines
  budget: Budget
  ownWords: Pick<OwnWordsStore, 'forUser'>
  secondListener: SecondListener
  next?(note: NoteRecord): Promise<Work | null>
  replyAwaitsGist?(note: NoteRecord): boolean
  /** For `npm run note`. */
  log?: Pick<Logger, 'info'>
}

/** Transcribes a note whose minutes are reserved. */
export function createListening(deps: Deps): StepWork {
  const { notes, sounds, engines, budget, ownWords, secondListener, next, replyAwaitsGist, log } = deps
  /** When a throttled engine may be called again, by `performance.now()`. */
  const closedUntil = new Map<Engine['name'], number>()
  const isOpen = ({ name }: Pick<Engine, 'name'>) => performance.now() >= (closedUntil.get(name) ?? 0)

  const ladder = () => engines.ladder().filter(isEngine)

  /** Returns a filter for the notes that don't need a closed engine. */
  function notWaiting(): object {
    const listed = ladder()
    if (listed.every(isOpen)) return {}
    const open: (string | null)[] = listed.filter(isOpen).map(({ name }) => name)
    // A note without an asked engine starts with the best one.
    if (listed[0] && isOpen(listed[0])) open.push(null)
    return { $or: [{ askedEngine: { $in: open } }, ...NEEDS_NO_ENGINE] }
  }

  /** Returns a function that names what a listed engine lacks for a note: times, or its likely language. */
  async function lackingFor(note: NoteRecord): Promise<(engine: Engine) => string | undefined> {
    if (!engines.isListed) return () => undefined
    const likely = note.language === 'auto' ? await likelyLanguageIn(note, notes)('auto') : note.language
    return ({ abilities }) => {
      if (note.wantsTimes && abilities.times === 'none') return 'times_not_given'
      return knows(abilities, likely) ? undefined : 'language_not_usual'
    }
  }

  async function listen(note: NoteRecord, words: string[], signal: AbortSignal, callSignal: AbortSignal) {
    const ended = stageSeconds.startTimer({ stage: 'recognise' })
    const work = async (sound: Sound) => {
      const listenWith = (engine: Engine, skipped: SkippedEngine[]) => {
        const deps = {
          engine: budget.paying(engine),
          skipped,
          words,
          savePart: notes.savePart.bind(null, note),
          likelyLanguage: likelyLanguageIn(note, notes),
          callSignal,
          metrics,
        }
        return inSpan('recognise', () => listenTo(deps, note, sound, signal), { engine: engine.name })
      }
      const listed = engines.ladder()
      const asked = listed.filter(({ name }) => name === note.askedEngine)
      const ladder = asked.length ? asked : listed
      const serve = (engine: Engine, skipped: SkippedEngine[]) =>
        listenWith(engine, skipped).catch(error => {
          // After this try the note would fail, although another engine may serve.
          if (isLastTry(note) && !signal.aborted && isEnginesFault(error))
            throw new Unworkable(reason('transcription_failed'))
          if (!(error instanceof NotNow)) throw error
          const { message, afterMs } = error
          closedUntil.set(engine.name, performance.now() + afterMs)
          throw new NoteWaits(message, afterMs, { cause: error })
        })
      const speech = await firstThatServes(ladder, note.language, serve, await lackingFor(note))
      if (speech.engine) {
        const { name, model, instead } = speech.engine
        const skipped = instead.map(each => `not ${each.name}, ${each.reason}`).join('; ')
        log?.info({ transcriptionId: note._id, reason: skipped || undefined }, `heard by ${name} (${model})`)
      }
      const speakerTurns = sound.sides && turnsOfSides(sound.sides, sound.speech)
      const segments = speakerTurns && inTurns(speech.segments, speakerTurns, speech.spokenLanguage)
      const sides = segments && { segments, speakers: speakersOf(speakerTurns, segments), isTwoSided: true }
      const notices = speech.text ? [...speech.notices, ...aboutTracks(note)] : speech.notices
      return { speech: { ...speech, ...sides, notices }, spoken: bordersOf(sound.speech) }
    }
    const heard = await sounds.use(note, signal, work)
    return { ...heard, engineSeconds: ended() }
  }

  return {
    short: { durationSeconds: { $lte: SHORT_NOTE_SECONDS } },
    fits: notWaiting,
    isClosed: () => ladder().length > 0 && !ladder().some(isOpen),
    secondsOf: ({ durationSeconds }) => durationSeconds ?? 0,

    /** Slow work first, a single write last: a crash in between only repeats the work. */
    async work(note, signal, callSignal) {
      // A note that failed before it was measured has not asked for minutes yet.
      if (note.durationSeconds === null) {
        await notes.askLate({ ...note, ...(await measured(deps, note, signal)) })
        return
      }
      if (!note.isSilent && engines.mustWait(note.language)) {
        // The engine is gone, or the note was refreshed without one. Its minutes stay reserved.
        await notes.waitForEngine(note, reason('waiting_for_engine'))
        return
      }
      const own = await ownWords.forUser(note.userId)
      const { speech, spoken, engineSeconds } = note.isSilent
        ? { speech: silence, spoken: [], engineSeconds: 0 }
        : await listen(note, own.words, signal, callSignal)
      const { replacements } = own
      const also = { next, replyAwaitsGist, replacements }
      const done = note.reserved && (await notes.completed({ ...note, spoken }, speech, note.reserved, also))
      if (!done) return
      beyondEngine.observe(Math.max(0, (Date.now() - note.createdAt.getTime()) / 1000 - engineSeconds))
      secondListener.offer(done)
    },
  }
}

/** Whether an engine failed, rather than refused, and neither the database nor the storage did. */
const isEnginesFault = (error: unknown): boolean =>
  ![NotNow, Unworkable, EngineGone].some(each => error instanceof each) &&
  !isDatabaseAway(error) &&
  !isStorageAway(error)

/** Lists the tracks with speech that are not in the text, numbered from 1 as in players. */
function aboutTracks({ heardTrack }: NoteRecord): Reason[] {
  const { place = 0, unheard = [] } = heardTrack ?? {}
  const numbers = unheard.map(each => each + 1)
  return numbers.length ? [reason('tracks_unheard', { heard: place + 1, unheard: numbers })] : []
}
