import type { EventOf } from '@voxscribe/contracts/events'
import { reason } from '@voxscribe/contracts/reasons'
import { inSpan } from '@voxscribe/service'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import type { Sound, Sounds } from '../audio/sounds.ts'
import type { Engines } from '../engines/choice.ts'
import { climbDown } from '../engines/ladder.ts'
import { Unworkable } from '../failure.ts'
import { listenTo, silence } from '../hearing/listen-to.ts'
import type { Speech } from '../hearing/speech.ts'
import { notesEnded, stageSeconds } from '../metrics.ts'
import { failNote } from '../note/fail-note.ts'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { Attempt } from '../note/transitions.ts'
import { NO_ENGINE } from '../reasons.ts'
import type { Line } from './line.ts'
import { usualLanguage } from './usual-language.ts'

interface ListeningDeps {
  notes: Notes
  ffmpeg: Ffmpeg
  sounds: Sounds
  engines: Engines
}

/** Turns a note, whose minutes are reserved, into text. */
export function createListening({ notes, ffmpeg, sounds, engines }: ListeningDeps) {
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

  async function work(note: NoteRecord, signal: AbortSignal): Promise<void> {
    // A note that failed before it was measured has asked for no minutes so far.
    if (note.durationSeconds === null) {
      await notes.askLate(note, await sounds.measure(note, signal))
      return
    }
    if (!engines.current() && !note.isSilent) {
      // It has gone meanwhile, or the note was refreshed without one. The minutes stay reserved.
      await notes.waitForEngine(note, NO_ENGINE)
      return
    }
    const speech = note.isSilent ? silence : await listen(note, signal)
    const done = note.reserved && (await notes.completed(note, speech, note.reserved))
    if (done) notesEnded.inc({ outcome: speech.text ? 'completed' : 'silent' })
  }

  /** The slow work comes first, the one write last: killed in between, all of it is simply done again. */
  return async (note: NoteRecord, signal: AbortSignal): Promise<void> => {
    try {
      await work(note, signal)
    } catch (error) {
      if (!(error instanceof Unworkable)) throw error
      await failNote(notes, note, error.reason)
    }
  }
}

/** Shorter waits are not worth a word. */
const TOLD_FROM_SECONDS = 20

const attemptOf = ({ data }: { data: { transcriptionId: string; attempt: number } }): Attempt => ({
  _id: data.transcriptionId,
  attempt: data.attempt,
})

interface Deps {
  notes: Notes
  line: Line
  /** Billing's address for more minutes is under it. */
  publicUrl: string
}

/** Billing has answered: the note is listened to in its turn, or it fails for want of minutes. */
export function createOnQuota({ notes, line, publicUrl }: Deps) {
  /** Returns how long a note at this place waits, in seconds, where it is worth a word. */
  async function waitAt(turn: number): Promise<number | undefined> {
    const pace = line.pace()
    if (!pace) return undefined
    const { seconds, atWork } = await notes.before(turn)
    const wait = Math.round((seconds * pace) / Math.max(1, atWork))
    return wait >= TOLD_FROM_SECONDS ? wait : undefined
  }

  return {
    async reserved({ id, traceId, data }: EventOf<'QuotaReserved'>): Promise<void> {
      const { transcriptionId, userId, attempt, seconds, remainingSeconds } = data
      const reserved = { id, traceId, seconds, remainingSeconds }
      const current = { _id: transcriptionId, attempt }
      await line.enter(
        { userId, seconds },
        {
          attempt: current,
          now: () => notes.begin('listening', current, { reserved }),
          wait: async (turn, isFirst) =>
            notes.waitToListen(current, turn, reserved, isFirst ? await waitAt(turn) : undefined),
        },
      )
    },

    async exceeded(event: EventOf<'QuotaExceeded'>): Promise<void> {
      const note = await notes.at(attemptOf(event), 'reserving')
      const { seconds, remainingSeconds, periodEnd } = event.data
      const facts = { seconds, remainingSeconds, periodEnd, plans: `${publicUrl}/pricing` }
      if (note) await failNote(notes, note, reason('out_of_minutes', facts))
    },
  }
}
