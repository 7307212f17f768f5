import { type Blobs, refusal } from '@voxscribe/service'
import type { Voices } from '@voxscribe/speech'
import type { AskedSpeakers, NoteRecord } from '../note/record.ts'
import type { Repeats } from '../note/repeats.ts'
import type { Notes } from '../note/store.ts'
import type { Loop } from '../queue/loop.ts'
import type { Queue } from '../queue/queue.ts'

interface Deps {
  notes: Notes
  blobs: Blobs
  voices: Voices
  loop: Pick<Loop, 'onQueuedHere'>
  queue: Pick<Queue, 'enqueue'>
  repeats: Repeats
}

/** Queues a note to have its speakers told apart. Throws 409 if that is not possible, 429 beyond the limits. */
export const createFindingSpeakers =
  ({ notes, blobs, voices, loop, queue, repeats }: Deps) =>
  async (note: NoteRecord, asked: AskedSpeakers): Promise<void> => {
    const { _id, userId, status, text, objectKey, durationSeconds } = note
    if (status === 'processing') throw refusal('already_processing')
    if (!text) throw refusal('no_text')
    const isBySides = note.isTwoSided && (asked.count ?? 2) === 2
    if (!isBySides && !voices.isHere()) throw refusal('no_speaker_model')
    if (!objectKey || !(await blobs.exists(objectKey))) throw refusal('speakers_need_audio')
    if (note.work?.step === 'voices') throw refusal('speakers_under_way')
    const minutes = Math.ceil((durationSeconds ?? 0) / 60)
    await repeats.count(userId, _id, minutes)
    const queued = await queue.enqueue('voices', userId, durationSeconds ?? 0, work =>
      notes.askSpeakers(note, asked, work),
    )
    if (queued) return loop.onQueuedHere('voices')
    await repeats.giveBack(userId, _id, minutes)
    throw refusal('speakers_under_way')
  }
