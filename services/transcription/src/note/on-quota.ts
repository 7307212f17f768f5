import type { EventOf } from '@voxscribe/contracts/events'
import { type Blobs, inSpan } from '@voxscribe/service'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { lengthOf, measure } from '../audio/measure.ts'
import { fetchAudio, withFolder } from '../audio/workspace.ts'
import type { Engines } from '../engines/choice.ts'
import type { Engine } from '../engines/engine.ts'
import { Unworkable } from '../failure.ts'
import { notesEnded, stageSeconds } from '../metrics.ts'
import { outOfMinutes } from '../reasons.ts'
import { failNote } from './fail-note.ts'
import type { InHand } from './in-hand.ts'
import { listenTo, silence } from './listen-to.ts'
import type { NoteRecord } from './record.ts'
import type { Attempt, Notes, Speech } from './store.ts'

interface Deps {
  notes: Notes
  blobs: Blobs
  ffmpeg: Ffmpeg
  engines: Engines
  inHand: InHand
  publicUrl: string
}

type Reserved = EventOf<'QuotaReserved'>

const attemptOf = ({ data }: { data: { transcriptionId: string; attempt: number } }): Attempt => ({
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

  async function work(event: Reserved, note: NoteRecord, signal: AbortSignal): Promise<void> {
    // A note that failed before it was measured has asked for no minutes so far.
    if (note.durationSeconds === null) {
      await notes.askLate(note, lengthOf(await measure({ blobs, ffmpeg }, note, signal)))
      return
    }
    const engine = engines.current()
    if (!engine && !note.isSilent) {
      // It has gone meanwhile, or the note was refreshed without one. The minutes stay reserved.
      await notes.waitForEngine(note, engines.missing)
      return
    }
    const speech = engine && !note.isSilent ? await listen(note, engine, signal) : silence
    const done = await notes.completed(note, speech, event)
    if (done) notesEnded.inc({ outcome: speech.text ? 'completed' : 'silent' })
  }

  return {
    /** The slow work comes first, the one write last: killed in between, all of it is simply done again. */
    reserved(event: Reserved): Promise<void> {
      const attempt = attemptOf(event)
      return inHand.work(
        attempt,
        () => notes.begin('listening', attempt),
        async (note, signal) => {
          try {
            await work(event, note, signal)
          } catch (error) {
            if (!(error instanceof Unworkable)) throw error
            await failNote(notes, note, error.reason)
          }
        },
      )
    },

    async exceeded(event: EventOf<'QuotaExceeded'>): Promise<void> {
      const note = await notes.at(attemptOf(event), 'reserving')
      if (note) await failNote(notes, note, outOfMinutes(event.data, publicUrl))
    },
  }
}
