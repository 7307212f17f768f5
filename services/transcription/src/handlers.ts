import type { EventOf, HandlersFor } from '@voxscribe/contracts/events'
import { Later } from '@voxscribe/messaging'
import { failNote } from './note/fail-note.ts'
import type { SameAudio } from './note/same-audio.ts'
import type { Notes } from './note/store.ts'
import { AUDIO_GONE, FAILED } from './reasons.ts'
import type { Work } from './work/claims.ts'
import type { InHand } from './work/in-hand.ts'
import type { Line, LineSteps } from './work/line.ts'
import { createOnMediaReceived } from './work/on-media-received.ts'
import { createOnQuota } from './work/on-quota.ts'

/** Tries of a step until its note fails. */
const TRIES = 6

interface Deps {
  notes: Notes
  lines: Record<Work, Line>
  steps: Record<Work, LineSteps>
  inHand: InHand
  sameAudio: SameAudio
  publicUrl: string
}

export function createHandlers(deps: Deps): HandlersFor<'transcription'> {
  const { notes, lines, steps, inHand, sameAudio, publicUrl } = deps
  const onQuota = createOnQuota({ notes, line: lines.listening, publicUrl })
  /** Failed tries of this process, by note. */
  const failures = new Map<string, number>()
  return {
    MediaReceived: createOnMediaReceived(notes, lines.measuring, sameAudio),
    MediaRejected: event => notes.rejected(event),
    QuotaReserved: onQuota.reserved,
    QuotaExceeded: onQuota.exceeded,
    AnswerSent: event => notes.answered(event),
    async TryFailed({ data: { transcriptionId, attempt, step } }) {
      const current = { _id: transcriptionId, attempt }
      try {
        await inHand.work(step, current, () => notes.begin(step, current), steps[step].work)
      } catch (error) {
        await notes.letGo(current).catch(() => {})
        const tries = (failures.get(transcriptionId) ?? 0) + 1
        if (error instanceof Later || tries < TRIES) {
          if (!(error instanceof Later)) failures.set(transcriptionId, tries)
          throw error
        }
        await createGivenUp(notes).TryFailed({ data: { transcriptionId, attempt } })
        failures.delete(transcriptionId)
      }
    },
    async NoteWithdrawn({ data }) {
      await notes.withdrawn(data.mediaId, data.userId)
      inHand.stop(data.mediaId)
    },
    async MediaExpired({ data }) {
      await notes.audioGone(data.mediaId)
      const note = await notes.byId(data.mediaId)
      // A note that is still waiting for an engine has lost its audio.
      if (note?.stage === 'waiting-for-engine') await failNote(notes, note, AUDIO_GONE)
    },
  }
}

/** Fails a note that is given up after all its tries, with a reason; its minutes are released. */
export function createGivenUp(notes: Notes) {
  const fail = async (id: string, attempt: number) => {
    const note = await notes.byId(id)
    if (note?.attempt === attempt && note.status === 'processing' && !note.deletedAt) {
      await failNote(notes, note, FAILED)
    }
  }
  const failTry = ({ data }: { data: { transcriptionId: string; attempt: number } }) =>
    fail(data.transcriptionId, data.attempt)
  return {
    MediaReceived: ({ data }: EventOf<'MediaReceived'>) => fail(data.mediaId, 1),
    QuotaReserved: failTry,
    QuotaExceeded: failTry,
    TryFailed: failTry,
  }
}
