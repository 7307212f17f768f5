import { reason, SPEAKERS_FAILED } from '@voxscribe/contracts/reasons'
import {
  atSentences,
  inTurns,
  keepingNames,
  rejoined,
  SHORT_NOTE_SECONDS,
  type Sounds,
  type SpeakerTurn,
  speakerIn,
  speakersOf,
  turnsOfSides,
  type Voices,
} from '@voxscribe/speech'
import { foundByOf } from '../note/listing.ts'
import { type NoteRecord, segmentsOf, type Work } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { StepWork } from './loop.ts'

/** Notes at once per process: one, as no text waits for this work. A short note may run beside a long one. */
const AT_ONCE = 1
const SHORT_AT_ONCE = 1
/** Attempts to write turns into a text that is being edited. */
const TRIES = 20
const PROGRESS_MS = 2_000

interface Deps {
  notes: Pick<Notes, 'model' | 'byId' | 'textWorkEnded'>
  sounds: Pick<Sounds, 'use'>
  voices: Voices
  /** Returns the work that follows, such as a gist that had to wait. */
  next(note: NoteRecord): Promise<Work | null>
  changed(note: NoteRecord): void
}

/** Distinguishes the speakers of a completed note, which keeps its text even if this fails. */
export function createSpeakerWork({ notes, sounds, voices, next, changed }: Deps): StepWork {
  const following = async (note: NoteRecord) => (note.gist ? null : next(note))

  /** Writes the fields that `of` computes; on a conflict, reads the note again and retries. */
  async function write(note: NoteRecord, fieldsOf: (note: NoteRecord) => Partial<NoteRecord>): Promise<void> {
    let current: NoteRecord | null = note
    for (let tried = 0; tried < TRIES && current?.work?.step === 'voices'; tried++) {
      if (await notes.textWorkEnded(current, fieldsOf(current), await following(current))) return
      current = await notes.byId(note._id)
    }
  }

  function progressOf(note: NoteRecord, signal: AbortSignal) {
    let reportedAt = performance.now()
    return (share: number) => {
      if (performance.now() - reportedAt < PROGRESS_MS || signal.aborted) return
      reportedAt = performance.now()
      const progress = Math.round(share * 100) / 100
      const at = { _id: note._id, attempt: note.attempt, 'work.step': 'voices' as const }
      const set = { 'work.progress': progress, 'work.since': new Date() }
      void notes.model.updateOne(at, { $set: set }).then(
        () => changed({ ...note, work: note.work && { ...note.work, progress } }),
        () => {},
      )
    }
  }

  return {
    places: AT_ONCE,
    short: { durationSeconds: { $lte: SHORT_NOTE_SECONDS } },
    shortAtOnce: SHORT_AT_ONCE,
    secondsOf: ({ durationSeconds }) => durationSeconds ?? 0,
    giveUp: note =>
      write(note, ({ notices }) => ({
        notices: [...notices.filter(({ code }) => code !== SPEAKERS_FAILED), reason(SPEAKERS_FAILED)],
      })),
    async work(note, signal) {
      const count = note.askedSpeakers?.count ?? null
      const { speakerTurns, isTwoSided } = await sounds.use(note, signal, async sound => {
        const speech = await Array.fromAsync(sound.detect(signal))
        signal.throwIfAborted()
        const sides = sound.sides && (count ?? 2) === 2 ? turnsOfSides(sound.sides, speech) : null
        if (sides) return { speakerTurns: sides, isTwoSided: true }
        const progress = progressOf(note, signal)
        return {
          speakerTurns: await voices.turns({ ...sound, speech }, { count, signal, progress }),
          isTwoSided: false,
        }
      })
      await write(note, current => ({ ...withSpeakers(current, speakerTurns), isTwoSided }))
    },
  }
}

/** Returns a note's fields with its speakers. Names are kept; translations are kept if no segment is cut. */
function withSpeakers(note: NoteRecord, found: SpeakerTurn[]): Partial<NoteRecord> {
  const { spokenLanguage: language, original } = note
  const before = segmentsOf(note)
  const speakerTurns = atSentences(found, before)
  const originals = new Map(rejoined(original?.segments ?? [], language).map(each => [each.id, each]))
  const cuts = rejoined(before, language).map(segment => {
    const cut = inTurns([segment], speakerTurns, language)
    const heard = originals.get(segment.id)
    const cutOriginal = heard ? inTurns([heard], speakerTurns, language) : cut
    if (cut.length === cutOriginal.length) return { cut, cutOriginal }
    // If the corrected segment and its original split into different numbers of parts, neither is cut.
    const speaker = speakerIn(speakerTurns, segment) ?? ''
    return { cut: [{ ...segment, speaker }], cutOriginal: [{ ...segment, ...heard, speaker }] }
  })
  const segments = cuts.flatMap(({ cut }) => cut)
  const nameless = speakersOf(speakerTurns, segments)
  const speakers = keepingNames(
    { segments, speakers: nameless },
    { segments: before, speakers: note.speakers },
  )
  const isCut = segments.length !== before.length || segments.some(({ id }, at) => id !== before[at]?.id)
  return {
    segments,
    original: original && { ...original, segments: cuts.flatMap(({ cutOriginal }) => cutOriginal) },
    speakers,
    words: foundByOf({ ...note, speakers }),
    version: note.version + 1,
    ...(isCut && { translations: {}, unfinished: null }),
  }
}
