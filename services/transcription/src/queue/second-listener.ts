import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from '@voxscribe/service'
import { agreeing, type Engines, inTurns, listenTo, type Sounds, turnsOfSides } from '@voxscribe/speech'
import PQueue from 'p-queue'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { engineMetrics as metrics } from './engine-metrics.ts'

/** The samples of a longer note would occupy disk space for minutes. */
const LONGEST_SECONDS = 1_800
/** Idle time required before a note is recognized again. */
const QUIET_MS = 2_000
/** A longer queue shows that no core is free; further notes are skipped. */
const MOST_WAITING = 20

interface Deps {
  notes: Notes
  sounds: Sounds
  engines: Engines
  /** Whether this process has no note in hand. */
  isIdle(): boolean
  quietMs?: number
  log: Logger
}

/** Recognizes notes without times or confidence again, with a local model. A note lost from memory keeps its text. */
export function createSecondListener({ notes, sounds, engines, isIdle, quietMs = QUIET_MS, log }: Deps) {
  const queue = new PQueue({ concurrency: 1 })
  const stopped = new AbortController()
  const { signal } = stopped

  /** Resolves when two checks in a row find no note in hand: notes that follow each other keep their cores. */
  async function quiet(): Promise<void> {
    for (let looks = 0; looks < 2; looks = isIdle() ? looks + 1 : 0)
      await wait(quietMs / 2, undefined, { signal, ref: false })
  }

  async function listen(note: NoteRecord): Promise<void> {
    await quiet()
    const language = note.spokenLanguage ?? note.language
    const engine = note.engine && engines.engineForSecondHearing(note.engine, language)
    if (!engine) return
    const deps = { engine, savePart: async () => {}, likelyLanguage: async () => language, metrics }
    const { segments, speakerTurns } = await sounds.use(note, signal, async sound => {
      const heard = await listenTo(deps, { ...note, language, parts: [] }, sound, signal)
      const sides = note.isTwoSided && sound.sides
      return { segments: heard.segments, speakerTurns: sides ? turnsOfSides(sides, sound.speech) : null }
    })
    const agreed = agreeing(note, segments)
    // Words have times now, so segments can be cut between them.
    const cut = speakerTurns ? { segments: inTurns(agreed.segments, speakerTurns, language) } : {}
    await notes.addTimes(note, { ...agreed, ...cut })
  }

  return {
    offer(note: NoteRecord): void {
      const isComplete = note.timesExact && note.confidence !== null
      const isLong = (note.durationSeconds ?? 0) > LONGEST_SECONDS
      if (isComplete || isLong || !note.text || queue.size >= MOST_WAITING) return
      void queue.add(() =>
        listen(note).catch(err => log.info({ transcriptionId: note._id, err }, 'a note was not heard again')),
      )
    },
    stop(): void {
      queue.clear()
      stopped.abort()
    },
    settled: () => queue.onIdle(),
  }
}
export type SecondListener = ReturnType<typeof createSecondListener>
