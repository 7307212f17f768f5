import { Later } from '@voxscribe/messaging'
import type { Blobs, Documents, Job, Logger, Parts, RateLimits } from '@voxscribe/service'
import { type Engines, notesAtOnce, type Sounds, type Voices } from '@voxscribe/speech'
import { z } from 'zod'
import type { OwnWordsStore } from './note/own-words.ts'
import { createStorePlayed } from './note/played.ts'
import { type NoteRecord, WORK_STEPS } from './note/record.ts'
import { createRepeats } from './note/repeats.ts'
import { createSameAudio } from './note/same-audio.ts'
import { createNotes } from './note/store.ts'
import type { Live } from './pages/live.ts'
import { createSteps } from './pipeline.ts'
import { createLoop } from './queue/loop.ts'
import { createQueue } from './queue/queue.ts'
import { createSecondListener } from './queue/second-listener.ts'
import { createBudget } from './queue/spending.ts'
import { sweep } from './queue/sweep.ts'
import { watchQueue } from './queue/waiting.ts'
import type { TranscriptionSettings } from './settings.ts'
import { createFormTexts } from './text/form-texts.ts'
import { createForms } from './text/forms.ts'
import { createGists } from './text/gists.ts'
import { createTextWork } from './text/text-work.ts'
import { createTranslations } from './text/translations.ts'
import { createUnderstanding } from './text/understanding.ts'

/** Queued notes are broadcast; polling finds lost broadcasts and notes that became due. */
const LOOK_EVERY_MS = 2_000
const LONG_WAITS_EVERY_MS = 5_000
const DROP_EVERY_MS = 10_000

interface Deps {
  blobs: Blobs
  settings: TranscriptionSettings
  documents: Documents
  speech: { sounds: Sounds; engines: Engines; voices: Voices }
  rateLimits: RateLimits
  ownWords: Pick<OwnWordsStore, 'forUser'>
  live: Pick<Live, 'changed'>
  now(): Date
  log: Logger
  leaseMs: number
  broadcast: Parts<unknown>['broadcast']
}

/** Broadcast topic for the steps in which notes were queued. */
const QUEUED = 'queued'

/** Opens the notes and the work on them: the queue, the loop that works through it, and what follows each change. */
export async function openWork(deps: Deps) {
  const { blobs, settings, documents, speech, rateLimits, ownWords } = deps
  const { live, now, log, broadcast, leaseMs } = deps
  // Aborts work on a note that has ended, and resumes notes of the same audio that wait for it.
  const whenChanged = (note: NoteRecord) => {
    live.changed(note)
    // Work on the text of a completed note continues while the person edits it.
    if ((note.status !== 'processing' && !note.work) || note.deletedAt) {
      hold.drop(note._id)
      void sounds.drop(note._id).catch(() => {})
    }
    if (note.status === 'completed' && note.work && !note.work.lease) loop.follows(note.work.step)
    void sameAudio.changed(note)
  }
  const notes = createNotes(documents, now, whenChanged, settings.WORKING_NOTICE)
  const hold = documents.hold(notes.model, 'work.lease', { leaseMs })
  const queue = createQueue(documents, notes, hold, now)
  watchQueue(notes.model)
  const { engines, sounds } = speech
  const budget = createBudget({ documents, now, log }, settings.MODEL_BUDGET)
  const everyMs = settings.ENGINE_CHECK_EVERY
  const secondListener = createSecondListener({ notes, sounds, engines, isIdle: () => loop.isIdle(), log })
  const repeats = createRepeats(rateLimits, 'refresh')
  const sameAudio = createSameAudio({ notes, repeats, mustWait: engines.mustWait, log })
  const { changed } = live
  // The library is loaded only if a text model is configured.
  const { createTextModel } = settings.TEXT_MODEL ? await import('./text/model.ts') : {}
  const model = createTextModel?.(settings, log, budget.forText(settings.TEXT_MODEL ?? ''))
  const textWork = createTextWork({ documents, notes, model, rateLimits, leaseMs, changed })
  const gists = createGists(textWork, notes, now)
  const translations = createTranslations(textWork, now)
  const forms = createForms(documents)
  const formTexts = createFormTexts(textWork, now)
  const understand = createUnderstanding({ model, rateLimits })
  const storePlayed = createStorePlayed(blobs)
  const made = { notes, budget, sameAudio, secondListener, gists, forms, formTexts, textWork }
  const loop = createLoop({
    notes,
    hold,
    queue,
    steps: createSteps({ ...speech, ...made, ownWords, storePlayed, changed, now, log }, queue),
    atOnce: notesAtOnce(settings),
    shortAtOnce: settings.TRANSCRIPTION_SHORT_CONCURRENCY,
    retryAfterMs: settings.NOTE_RETRY_AFTER,
    now,
    log,
    announce: step => broadcast(QUEUED, step),
  })
  /** Deletes the sounds of notes that have ended in other processes. */
  async function dropSounds(): Promise<void> {
    const kept = sounds.kept()
    if (!kept.length) return
    const where = { _id: { $in: kept }, status: 'processing', deletedAt: null } as const
    const open = new Set((await notes.model.find(where, { _id: 1 }).lean()).map(({ _id }) => _id))
    await Promise.all(kept.filter(id => !open.has(id)).map(sounds.drop))
  }
  const jobs: Job[] = [
    { name: 'poll-queue', everyMs: LOOK_EVERY_MS, run: loop.lookAround, firstMs: 0 },
    { name: 'notify-long-waits', everyMs: LONG_WAITS_EVERY_MS, run: notes.notifyLongWaits },
    { name: 'drop-sounds', everyMs: DROP_EVERY_MS, run: dropSounds },
    { name: 'resume-waiting', everyMs, run: sameAudio.resume },
    { name: 'model-budget', everyMs, run: budget.look },
    { name: 'sweep', everyMs: settings.SWEEP_EVERY, run: () => sweep({ notes, hold, settings }, now()) },
  ]
  return {
    ...made,
    queue,
    loop,
    repeats,
    translations,
    understand,
    jobs,

    onBroadcast: { [QUEUED]: (step: unknown) => loop.onQueuedElsewhere(z.enum(WORK_STEPS).parse(step)) },

    /** Resolves once no work is in hand. */
    async settled(): Promise<void> {
      await Promise.all([loop.settled(), secondListener.settled()])
    },

    /** Aborts all work and releases the notes in hand; calls to providers get `drainMs` to finish. */
    stop(drainMs?: number): void {
      loop.stop(drainMs)
      textWork.close(new Later('The service stops'), drainMs)
      secondListener.stop()
    },
  }
}
export type OpenWork = Awaited<ReturnType<typeof openWork>>
