import { type EventOf, TranscriptionCompleted } from '@voxscribe/contracts/events'
import { type Blobs, inSpan } from '@voxscribe/service'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { measure } from '../audio/measure.ts'
import { fetchAudio, withFolder } from '../audio/workspace.ts'
import type { Engines } from '../engines/choice.ts'
import type { Engine } from '../engines/engine.ts'
import { Unworkable } from '../failure.ts'
import { notesEnded, stageSeconds } from '../metrics.ts'
import { outOfMinutes } from '../reasons.ts'
import { normalised } from './events.ts'
import { failNote } from './fail-note.ts'
import type { InHand } from './in-hand.ts'
import { listenTo, silence } from './listen-to.ts'
import type { NoteRecord } from './record.ts'
import type { Notes, Speech, Try } from './store.ts'

interface Deps {
  notes: Notes
  blobs: Blobs
  ffmpeg: Ffmpeg
  engines: Engines
  inHand: InHand
  publicUrl: string
}

type Reserved = EventOf<'QuotaReserved'>

const tryOf = ({ data }: { data: { transcriptionId: string; attempt: number } }): Try => ({
  _id: data.transcriptionId,
  attempt: data.attempt,
})

/** Billing has answered: the note is listened to, or it fails for want of minutes. */
export function createOnQuota({ notes, blobs, ffmpeg, engines, inHand, publicUrl }: Deps) {
  async function listen(note: NoteRecord, engine: Engine, signal: AbortSignal): Promise<Speech> {
    const ended = stageSeconds.startTimer({ stage: 'recognise' })
    const work = async (folder: string) => {
      const audio = await fetchAudio(blobs, note.objectKey, folder, signal)
      const savePart = notes.savePart.bind(null, note)
      return listenTo({ ffmpeg, engine, savePart }, note, audio, folder, signal)
    }
    const speech = await inSpan('recognise', () => withFolder(work), { engine: engine.name })
    ended()
    return speech
  }

  /** A note that failed before it was measured has asked for no minutes so far: it does so by its next try. */
  async function askAnew(note: NoteRecord, signal: AbortSignal): Promise<void> {
    const { seconds, isSilent } = await measure({ blobs, ffmpeg }, note, signal)
    const event = normalised({ ...note, attempt: note.attempt + 1 }, seconds, isSilent)
    await notes.askedAnew(note, seconds, isSilent, event)
  }

  async function work(event: Reserved, note: NoteRecord, signal: AbortSignal): Promise<void> {
    if (note.durationSeconds === null) return askAnew(note, signal)
    const engine = engines.current()
    if (!engine && !note.isSilent) {
      // It has gone meanwhile, or the note was refreshed without one. The minutes stay reserved.
      await notes.waitForEngine(note, engines.missing)
      return
    }
    const speech = engine && !note.isSilent ? await listen(note, engine, signal) : silence
    await notes.completed(note, speech, completed(event, note, speech))
    notesEnded.inc({ outcome: speech.text ? 'completed' : 'silent' })
  }

  return {
    /** The slow work comes first, the one write last: killed in between, all of it is simply done again. */
    async reserved(event: Reserved): Promise<void> {
      const it = tryOf(event)
      const note = await notes.begin(it, ['reserving', 'recognising'], 'recognising')
      if (!note) return
      await inHand.work(it._id, it.attempt, async signal => {
        try {
          await work(event, note, signal)
        } catch (error) {
          if (!(error instanceof Unworkable)) throw error
          await failNote(notes, note, error.reason)
        }
      })
    },

    async exceeded(event: EventOf<'QuotaExceeded'>): Promise<void> {
      const note = await notes.begin(tryOf(event), ['reserving'], 'reserving')
      if (note) await failNote(notes, note, outOfMinutes(event.data, publicUrl))
    },
  }
}

/** Charged is the length that was measured; a note without speech costs nothing. */
function completed(event: Reserved, note: NoteRecord, speech: Speech) {
  const audioSeconds = note.durationSeconds ?? 0
  const seconds = speech.text ? audioSeconds : 0
  return TranscriptionCompleted.causedBy(event, {
    transcriptionId: note._id,
    userId: note.userId,
    seconds,
    audioSeconds,
    text: speech.text,
    words: speech.wordCount,
    language: speech.spokenLanguage,
    engine: speech.engine ?? 'none',
    // What was reserved and is not used comes back.
    remainingSeconds: event.data.remainingSeconds + (seconds ? 0 : event.data.seconds),
    attempt: note.attempt,
    notice: speech.notice,
    source: note.source,
  })
}
