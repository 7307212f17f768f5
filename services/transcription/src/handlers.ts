import type { EventOf, HandlersFor } from '@voxscribe/contracts/events'
import type { Built } from '@voxscribe/service'
import { failNote } from './note/fail-note.ts'
import type { createOnReservationQuestioned } from './note/reservations.ts'
import type { SameAudio } from './note/same-audio.ts'
import type { Notes } from './note/store.ts'
import { AUDIO_GONE, FAILED } from './reasons.ts'
import type { Work } from './work/claims.ts'
import type { InHand } from './work/in-hand.ts'
import type { Line, LineSteps } from './work/line.ts'
import { createOnMediaReceived } from './work/on-media-received.ts'
import { createOnQuota } from './work/on-quota.ts'

interface Deps {
  notes: Notes
  lines: Record<Work, Line>
  steps: Record<Work, LineSteps>
  inHand: InHand
  sameAudio: SameAudio
  publicUrl: string
  onReservationQuestioned: ReturnType<typeof createOnReservationQuestioned>
}

export function createHandlers(deps: Deps): HandlersFor<'transcription'> {
  const { notes, lines, steps, inHand, sameAudio, publicUrl } = deps
  const onQuota = createOnQuota({ notes, line: lines.listening, publicUrl })
  return {
    MediaReceived: createOnMediaReceived(notes, lines.measuring, sameAudio),
    MediaRejected: event => notes.rejected(event),
    QuotaReserved: onQuota.reserved,
    QuotaExceeded: onQuota.exceeded,
    ReservationFailed: onQuota.failed,
    AnswerSent: event => notes.answered(event),
    ReservationQuestioned: deps.onReservationQuestioned,
    async TryFailed({ data: { transcriptionId, attempt, step } }) {
      const current = { _id: transcriptionId, attempt }
      try {
        await inHand.work(step, current, () => notes.begin(step, current), steps[step].work)
      } catch (error) {
        await notes.letGo(current).catch(() => {})
        throw error
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
export function createGivenUp(notes: Notes): NonNullable<Built<'transcription'>['givenUp']> {
  const fail = async (id: string, attempt: number) => {
    const note = await notes.byId(id)
    if (note?.attempt === attempt && note.status === 'processing' && !note.deletedAt) {
      await failNote(notes, note, FAILED)
    }
  }
  const failTry = ({ data }: EventOf<'QuotaReserved' | 'QuotaExceeded' | 'TryFailed'>) =>
    fail(data.transcriptionId, data.attempt)
  return {
    MediaReceived: ({ data }) => fail(data.mediaId, 1),
    QuotaReserved: failTry,
    QuotaExceeded: failTry,
    TryFailed: failTry,
  }
}
