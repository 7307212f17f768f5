import type { Envelope, EventOf, Reason } from '@voxscribe/contracts/events'
import { type Documents, isDuplicateKey } from '@voxscribe/service'
import { deleted } from './events.ts'
import { type NoteRecord, noteSchema, type SavedPart, type Stage } from './record.ts'

/** A tombstone outlives everything that could be delivered again. */
const REMEMBERED_MS = 60 * 86_400_000

export interface Speech {
  text: string
  wordCount: number
  confidence: number | null
  spokenLanguage: string
  engine: string | null
  notice: string | null
}

/** The try that a piece of work belongs to: what is done for another one changes nothing. */
export interface Try {
  _id: string
  attempt: number
}

const current = ({ _id, attempt }: Try) => ({ _id, attempt, status: 'processing' as const, deletedAt: null })

const fresh = (now: Date) => ({
  createdAt: now,
  attempt: 1,
  since: now,
  durationSeconds: null,
  isSilent: false,
  text: '',
  wordCount: 0,
  confidence: null,
  spokenLanguage: null,
  engine: null,
  notice: null,
  completedAttempt: null,
  deletedAt: null,
  forgetAt: null,
  parts: [],
  outbox: [],
})

/** Notes and what may become of them. Every change is one write, conditional on the try it belongs to. */
export function createNotes(documents: Documents, now: () => Date) {
  const notes = documents.outboxModel<NoteRecord>('transcriptions', noteSchema())

  async function insert(note: NoteRecord): Promise<void> {
    try {
      await notes.create(note)
    } catch (error) {
      if (!isDuplicateKey(error)) throw error
    }
  }

  return {
    model: notes,
    byId: (id: string) => notes.findById(id).lean(),

    /** A note whose file has come. One that had failed because its file could not be fetched begins anew. */
    async received({ data, traceId }: EventOf<'MediaReceived'>): Promise<void> {
      const { mediaId: _id, userId, source, fileName, bytes, objectKey, language } = data
      const begun = { status: 'processing' as const, stage: 'normalising' as const, error: null, objectKey }
      const note = { _id, userId, traceId, source, fileName, bytes, language }
      await insert({ ...note, ...fresh(now()), ...begun })
      await notes.updateOne(
        { _id, status: 'failed', 'error.code': 'download_failed', deletedAt: null },
        { $set: { ...begun, bytes, since: now() } },
      )
    },

    /** A file that was refused is a record all the same, so that the person sees why. */
    async rejected({ data, traceId }: EventOf<'MediaRejected'>): Promise<void> {
      const { mediaId: _id, userId, source, fileName, bytes, reason } = data
      const failed = { status: 'failed' as const, stage: null, error: reason, objectKey: null }
      const note = { _id, userId, traceId, source, fileName, bytes, language: 'auto' }
      await insert({ ...note, ...fresh(now()), ...failed })
    },

    /** Begins a stage, or begins it again; answers the note, or null when this try is over. */
    begin: (it: Try, stages: Stage[], stage: Stage) =>
      notes
        .findOneAndUpdate(
          { ...current(it), stage: { $in: stages } },
          { $set: { stage, since: now(), notice: null } },
          { returnDocument: 'after' },
        )
        .lean(),

    measured: (it: Try, durationSeconds: number, isSilent: boolean) =>
      notes.updateOne({ ...current(it), stage: 'normalising' }, { $set: { durationSeconds, isSilent } }),

    askForMinutes: (it: Try, event: Envelope) =>
      notes.updateOne(
        { ...current(it), stage: { $in: ['normalising', 'waiting-for-engine'] } },
        { $set: { stage: 'reserving', since: now(), notice: null }, $push: { outbox: event } },
      ),

    /** A note that was measured late asks for its minutes by its next try. */
    askedAnew: (it: Try, durationSeconds: number, isSilent: boolean, event: Envelope) =>
      notes.updateOne(current(it), {
        $set: { durationSeconds, isSilent, attempt: it.attempt + 1, stage: 'reserving', since: now() },
        $push: { outbox: event },
      }),

    waitForEngine: (it: Try, notice: string) =>
      notes.updateOne(
        { ...current(it), stage: { $in: ['normalising', 'recognising'] } },
        { $set: { stage: 'waiting-for-engine', since: now(), notice } },
      ),

    waiting: (limit: number) =>
      notes
        .find({ status: 'processing', stage: 'waiting-for-engine' })
        .sort({ since: 1 })
        .limit(limit)
        .lean(),

    savePart: (it: Try, part: SavedPart) => notes.updateOne(current(it), { $push: { parts: part } }),

    completed: (it: Try, speech: Speech, event: Envelope) =>
      notes.updateOne(current(it), {
        $set: {
          ...speech,
          status: 'completed',
          stage: null,
          error: null,
          completedAttempt: it.attempt,
          parts: [],
        },
        $push: { outbox: event },
      }),

    /** A refresh that fails leaves the text of before, and says so. */
    failed(note: NoteRecord, reason: Reason, event: Envelope) {
      const outcome = note.completedAttempt
        ? { status: 'completed', notice: `Transcribing again did not work: ${reason.sentence}` }
        : { status: 'failed', error: reason, notice: null }
      return notes.updateOne(current(note), {
        $set: { ...outcome, stage: null, parts: [] } as Partial<NoteRecord>,
        $push: { outbox: event },
      })
    },

    /** Answers the note of the new try, or null when something else was quicker. */
    refreshed: ({ _id, attempt }: NoteRecord, event: Envelope) =>
      notes
        .findOneAndUpdate(
          { _id, attempt, status: { $ne: 'processing' }, deletedAt: null, objectKey: { $ne: null } },
          {
            $set: {
              status: 'processing',
              stage: 'reserving',
              since: now(),
              attempt: attempt + 1,
              error: null,
              notice: null,
              parts: [],
            },
            $push: { outbox: event },
          },
          { returnDocument: 'after' },
        )
        .lean(),

    audioGone: (id: string) => notes.updateOne({ _id: id }, { $set: { objectKey: null } }),

    /** Notes that have been at one of these stages since before that time. */
    stuck: (stages: Stage[], before: Date, limit: number) =>
      notes
        .find({ status: 'processing', stage: { $in: stages }, since: { $lt: before }, deletedAt: null })
        .limit(limit)
        .lean(),

    /** Answers what it was, or null when there is no such note of this person. */
    async deleted(id: string, userId: string): Promise<NoteRecord | null> {
      const note = await notes.findOne({ _id: id, userId, deletedAt: null }).lean()
      if (!note) return null
      const { matchedCount } = await notes.updateOne(
        { _id: id, deletedAt: null, status: note.status, attempt: note.attempt },
        {
          $set: {
            deletedAt: now(),
            forgetAt: new Date(now().getTime() + REMEMBERED_MS),
            status: 'failed',
            stage: null,
          },
          $unset: LEFT_BEHIND,
          $push: { outbox: { $each: deleted(note) } },
        },
      )
      return matchedCount ? note : this.deleted(id, userId)
    },
  }
}
export type Notes = ReturnType<typeof createNotes>

const LEFT_BEHIND = {
  userId: 1,
  source: 1,
  fileName: 1,
  objectKey: 1,
  parts: 1,
  text: 1,
  notice: 1,
  error: 1,
} as const
