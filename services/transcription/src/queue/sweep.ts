import { type Reason, reason } from '@voxscribe/contracts/reasons'
import type { Hold } from '@voxscribe/service'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { TranscriptionSettings } from '../settings.ts'

const AT_ONCE = 200

const AT_WORK = ['normalising', 'recognising']

type Limits = Pick<TranscriptionSettings, 'NOTE_TIMEOUT' | 'QUEUE_TIMEOUT'>

/** Ends deleted notes, and fails those without progress for longer than their stage allows. */
export async function sweep(
  { notes, hold, settings }: { notes: Notes; hold: Hold; settings: Limits },
  now: Date,
): Promise<void> {
  const before = (ms: number) => ({ $lt: new Date(now.getTime() - ms) })
  const late = (where: object) =>
    notes.model
      .find({ status: 'processing', deletedAt: null, ...where })
      .limit(AT_ONCE)
      .lean()
  async function fail(found: NoteRecord[], why: Reason): Promise<void> {
    // `since` spares a note that has made progress, or has ended and is transcribed again, since the query.
    for (const note of found) await notes.failed(note, why, { since: note.since })
  }
  // Work of this process: other processes limit their own, and notes of dead ones are released.
  const inHand = { stage: { $in: AT_WORK }, 'work.lease.owner': hold.owner }
  await fail(await late({ ...inHand, since: before(settings.NOTE_TIMEOUT) }), reason('timed_out'))
  // A claim does not count as progress: a note that is released again and again times out, too.
  const queued = [{ work: null, since: before(settings.QUEUE_TIMEOUT) }]
  const again = { 'work.since': before(settings.QUEUE_TIMEOUT) }
  await fail(
    await late({ stage: { $in: [...AT_WORK, 'reserving'] }, $or: [...queued, again] }),
    reason('timed_out'),
  )
  await fail(await late({ stage: 'waiting-for-engine', objectKey: null }), reason('audio_deleted'))
  await notes.endHidden()
}
