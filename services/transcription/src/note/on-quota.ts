import type { EventOf } from '@voxscribe/contracts/events'
import { reason } from '@voxscribe/contracts/reasons'
import { inSpan } from '@voxscribe/service'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import type { Sound, Sounds } from '../audio/sounds.ts'
import type { Engines } from '../engines/choice.ts'
import { climbDown } from '../engines/ladder.ts'
import { Unworkable } from '../failure.ts'
import { notesEnded, stageSeconds } from '../metrics.ts'
import { NOT_RESERVED } from '../reasons.ts'
import { failNote } from './fail-note.ts'
import type { InHand } from './in-hand.ts'
import { listenTo, silence } from './listen-to.ts'
import type { NoteRecord } from './record.ts'
import type { Attempt, Notes, Speech } from './store.ts'
import { usualLanguage } from './usual-language.ts'

interface Deps {
  notes: Notes
  ffmpeg: Ffmpeg
  sounds: Sounds
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
export function createOnQuota({ notes, ffmpeg, sounds, engines, inHand, publicUrl }: Deps) {
  async function listen(note: NoteRecord, signal: AbortSignal): Promise<Speech> {
    const ended = stageSeconds.startTimer({ stage: 'recognise' })
    const work = async (sound: Sound) => {
      const savePart = notes.savePart.bind(null, note)
      const usual = () => usualLanguage(notes, note)
      const asked = engines.ladder().filter(({ name }) => name === note.askedEngine)
      const rungs = asked.length ? asked : engines.ladder()
      return climbDown(rungs, note.language, (engine, instead) => {
        const deps = { ffmpeg, engine, instead, savePart, usualLanguage: usual }
        return inSpan('recognise', () => listenTo(deps, note, sound, signal), { engine: engine.name })
      })
    }
    const speech = await sounds.use(note, signal, work)
    ended()
    return speech
  }

  async function work(event: Reserved, note: NoteRecord, signal: AbortSignal): Promise<void> {
    // A note that failed before it was measured has asked for no minutes so far.
    if (note.durationSeconds === null) {
      await notes.askLate(note, await sounds.measure(note, signal))
      return
    }
    if (!engines.current() && !note.isSilent) {
      // It has gone meanwhile, or the note was refreshed without one. The minutes stay reserved.
      await notes.waitForEngine(note, engines.missing)
      return
    }
    const speech = note.isSilent ? silence : await listen(note, signal)
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
      const { seconds, remainingSeconds, periodEnd } = event.data
      const facts = { seconds, remainingSeconds, periodEnd, plans: `${publicUrl}/pricing` }
      if (note) await failNote(notes, note, reason('out_of_minutes', facts))
    },

    async failed(event: EventOf<'ReservationFailed'>): Promise<void> {
      const note = await notes.at(attemptOf(event), 'reserving')
      if (note) await failNote(notes, note, NOT_RESERVED)
    },
  }
}
