import type { Envelope, EventOf } from '@voxscribe/contracts/events'
import { type Reason, reason } from '@voxscribe/contracts/reasons'
import { Later } from '@voxscribe/messaging'
import { type Documents, insertOnce, isDuplicateKey } from '@voxscribe/service'
import { SAME_UNDER_WAY } from '../reasons.ts'
import { completed, deleted, failed, normalised } from './events.ts'
import type { Leases } from './leases.ts'
import {
  type Edited,
  type NoteRecord,
  noteSchema,
  type SavedPart,
  type Segment,
  type Stage,
  type TimelineEntry,
} from './record.ts'
import { isIn, STEPS, type Step, type StepName, stateAfter, type WrittenBy } from './steps.ts'

/** A tombstone outlives everything that could be delivered again. */
const REMEMBERED_MS = 60 * 86_400_000
const TIMELINE_LENGTH = 100
/** How soon a message comes again for a note that is being worked on. */
export const LOOK_AGAIN_MS = 5_000

/** An engine's result for a note. */
export interface Speech {
  text: string
  segments: Segment[]
  timesExact: boolean
  wordCount: number
  confidence: number | null
  spokenLanguage: string
  engine: NoteRecord['engine']
  /** US dollars. */
  engineCost: number
  notices: Reason[]
}

/** The attempt that a piece of work belongs to: what is done for another one changes nothing. */
export interface Attempt {
  _id: string
  attempt: number
}

/** Options of a refresh. */
export type Wanted = Pick<NoteRecord, 'language' | 'askedEngine'>

export interface Length {
  durationSeconds: number
  isSilent: boolean
  levels: number[]
}

/** Of a change that lists and numbers have to follow; `changes` is counted in the same write. */
const UNSETTLED = { settled: null }

interface Also {
  /** Conditions beside the states that the step begins in. */
  where?: Record<string, unknown>
  push?: Record<string, unknown>
  unset?: Record<string, 1>
  events?: Envelope[]
  /** For the timeline. */
  detail?: TimelineEntry['detail']
}

const fresh = (now: Date, step: StepName) => ({
  createdAt: now,
  attempt: 1,
  since: now,
  lease: null,
  title: null,
  mime: null,
  durationSeconds: null,
  isSilent: false,
  levels: [],
  text: '',
  segments: [],
  timesExact: false,
  wordCount: 0,
  confidence: null,
  spokenLanguage: null,
  engine: null,
  engineCost: 0,
  notices: [],
  error: null,
  completedAttempt: null,
  original: null,
  audioKey: null,
  version: 1,
  askedEngine: null,
  refreshedAt: [],
  timeline: [{ step, at: now, detail: null }],
  deletedAt: null,
  forgetAt: null,
  parts: [],
  outbox: [],
})

/** Notes and what may become of them: every change is a step of the table, in one write. */
export function createNotes(
  documents: Documents,
  leases: Leases,
  now: () => Date,
  changed: (note: NoteRecord) => void,
) {
  const notes = documents.outboxModel<NoteRecord>('transcriptions', noteSchema())

  async function insert(step: 'received' | 'refused', note: Partial<NoteRecord>): Promise<void> {
    const at = now()
    const begun = { ...fresh(at, step), ...stateAfter(STEPS[step], at), ...note }
    if (await insertOnce(notes, begun as NoteRecord)) changed(begun as NoteRecord)
  }

  /** Takes a step if the note is where it begins; returns the note as it is then, else null. */
  async function take<N extends StepName>(
    name: N,
    { _id, attempt }: Attempt,
    set: WrittenBy<N>,
    { where = {}, push = {}, unset, events = [], detail = null }: Also = {},
  ): Promise<NoteRecord | null> {
    const step: Step = STEPS[name]
    const at = now()
    const entry = { $each: [{ step: name, at, detail }], $slice: -TIMELINE_LENGTH }
    const note = await notes
      .findOneAndUpdate(
        { _id, attempt, deletedAt: null, ...isIn(step.from), ...where },
        {
          // Work on a note changes nothing that lists show.
          $set: { ...stateAfter(step, at), ...set, ...(step.isWork ? {} : UNSETTLED) },
          $inc: { changes: step.isWork ? 0 : 1 },
          ...(unset ? { $unset: unset } : {}),
          $push: { ...push, ...(step.isQuiet ? {} : { timeline: entry }), outbox: { $each: events } },
        },
        { returnDocument: 'after' },
      )
      .lean()
    if (note) changed(note)
    return note
  }

  const ofAttempt = ({ _id, attempt }: Attempt) => ({
    _id,
    attempt,
    status: 'processing' as const,
    deletedAt: null,
  })
  const ours = (it: Attempt) => ({ ...ofAttempt(it), 'lease.owner': leases.owner })

  return {
    model: notes,
    byId: (id: string) => notes.findById(id).lean(),
    /** The note, if it is in progress at this attempt and at this stage. */
    at: (it: Attempt, stage: Stage) => notes.findOne({ ...ofAttempt(it), stage }).lean(),

    /** A note whose file has come. One that had failed because its file could not be fetched begins again. */
    async received({ data, traceId, occurredAt }: EventOf<'MediaReceived'>): Promise<void> {
      const { mediaId: _id, userId, source, fileName, title = null, mime, bytes, objectKey, language } = data
      const { country = null, sha256 } = data
      await insert('received', {
        _id,
        userId,
        traceId,
        source,
        fileName,
        title,
        mime,
        bytes,
        language,
        country,
        objectKey,
        sha256,
        timeline: [
          { step: 'received', at: new Date(data.receivedAt ?? occurredAt), detail: null },
          { step: 'fetched', at: new Date(occurredAt), detail: null },
        ],
      })
      const change = { error: null, objectKey, bytes, sha256 }
      const where = { 'error.code': 'download_failed' }
      await take('receivedLate', { _id, attempt: 1 }, change, { where })
    },

    /** A file that was refused is a record too, so that the person sees why. */
    async rejected({ data, traceId }: EventOf<'MediaRejected'>): Promise<void> {
      const { mediaId: _id, userId, source, fileName, bytes, reason: error } = data
      const language = 'auto'
      await insert('refused', {
        _id,
        userId,
        traceId,
        source,
        fileName,
        bytes,
        language,
        error,
        objectKey: null,
      })
    },

    /**
     * Begins work on a note and takes it into the hands of this process, or begins it again. Null when the attempt is
     * over or elsewhere; throws `Later` while another process works on it.
     */
    async begin(step: 'measuring' | 'listening', it: Attempt): Promise<NoteRecord | null> {
      const lease = { owner: leases.owner, beat: 0 }
      const free = { $or: [{ lease: null }, { 'lease.owner': leases.owner }] }
      const note = await take(step, it, { lease }, { where: free })
      if (note) return note
      const held = await notes.findOne({ ...ofAttempt(it), ...isIn(STEPS[step].from) }).lean()
      if (!held) return null
      if (held.lease && leases.hasRunOut(it._id, held.lease)) {
        const { owner, beat } = held.lease
        const where = { 'lease.owner': owner, 'lease.beat': beat }
        const taken = await take(step, it, { lease }, { where, detail: 'taken over' })
        leases.forget(it._id)
        if (taken) return taken
      }
      throw new Later('Another process works on this note', LOOK_AGAIN_MS)
    },

    /** Says that this process still works on the note; false when it is over or in other hands. */
    async renew(it: Attempt): Promise<boolean> {
      // Past mongoose's middleware: no event waits here.
      const { matchedCount } = await notes.collection.updateOne(ours(it) as never, {
        $inc: { 'lease.beat': 1 },
      })
      return matchedCount === 1
    },

    letGo: (it: Attempt) => notes.updateOne(ours(it), { $set: { lease: null } }),

    /** Asks for minutes; false when another note is the one that is recognised for the same bytes. */
    async askForMinutes(note: NoteRecord, length: Length): Promise<boolean> {
      const { userId, sha256 } = note
      const first = sha256 && !length.isSilent ? { firstOf: `${userId} ${sha256}` } : {}
      try {
        await take('minutesAsked', note, { ...length, ...first }, { events: [normalised(note, length)] })
        return true
      } catch (error) {
        if (!isDuplicateKey(error, 'firstOf')) throw error
        return false
      }
    },

    /** Returns the note as it waits, or null when it does already, or is over. */
    waitForSame: (it: Attempt, { durationSeconds, isSilent, levels }: Length) =>
      take('waitingForSame', it, { durationSeconds, isSilent, levels, notices: [SAME_UNDER_WAY] }),

    /** Gives a note the text of another one, with the corrections that a person has made, and their original. */
    completedAs(note: NoteRecord, first: NoteRecord, notices: Reason[]) {
      const { text, segments, timesExact, wordCount, confidence, engine, original } = first
      const { durationSeconds, isSilent, levels } = first
      const spokenLanguage = first.spokenLanguage ?? 'auto'
      const speech = { text, segments, timesExact, wordCount, confidence, engine, spokenLanguage, notices }
      const same = { sameAs: first._id, durationSeconds, isSilent, levels }
      const rest = { original, completedAttempt: note.attempt, version: (note.version ?? 1) + 1 }
      const events = [completed({ ...note, ...same }, speech)]
      return take('sameFound', note, { ...speech, ...same, ...rest }, { events, detail: notices[0] })
    },

    /** A note that was measured late asks for its minutes by its next attempt. */
    askLate(note: NoteRecord, length: Length) {
      const attempt = note.attempt + 1
      const events = [normalised({ ...note, attempt }, length)]
      return take('minutesAskedLate', note, { attempt, ...length }, { events })
    },

    waitForEngine: (it: Attempt, missing: Reason, length: Partial<Length> = {}) =>
      take('waiting', it, { notices: [missing], ...length }, { detail: missing }),

    waiting: (limit: number) =>
      notes
        .find({ status: 'processing', stage: 'waiting-for-engine' })
        .sort({ since: 1 })
        .limit(limit)
        .lean(),

    /** The person's newest notes with a text, besides this one. */
    lastTexts: ({ _id, userId }: NoteRecord, limit: number) =>
      notes
        .find({ userId, status: 'completed', deletedAt: null, text: { $ne: '' }, _id: { $ne: _id } })
        .sort({ createdAt: -1 })
        .limit(limit)
        .lean(),

    savePart: (it: Attempt, part: SavedPart) => take('partRecognised', it, {}, { push: { parts: part } }),

    completed(note: NoteRecord, speech: Speech, reserved: EventOf<'QuotaReserved'>) {
      const { attempt: completedAttempt, version } = note
      const text = { ...speech, completedAttempt, original: null, version: (version ?? 1) + 1 }
      return take(
        'completed',
        note,
        { ...text, error: null, parts: [] },
        { events: [completed(note, speech, reserved)], detail: speech.engine?.name ?? speech.notices[0] },
      )
    },

    /** A refresh that fails leaves the text of before, and says so. */
    failed(note: NoteRecord, why: Reason) {
      const also = { events: [failed(note, why)], detail: why }
      return note.completedAttempt
        ? take('textKept', note, { notices: [reason('refresh_failed', why)] }, also)
        : take('failed', note, { error: why, notices: [] }, { ...also, unset: { firstOf: 1 } })
    },

    /** Returns the note of the next attempt, or null when something else was quicker. */
    refreshed(note: NoteRecord, { language, askedEngine }: Wanted, refreshedAt: Date[]) {
      const attempt = note.attempt + 1
      const length = { durationSeconds: note.durationSeconds ?? 0, isSilent: note.isSilent }
      const events = [normalised({ ...note, attempt }, length)]
      const set = { attempt, language, askedEngine, error: null, refreshedAt }
      return take('refreshed', note, set, { where: { objectKey: { $ne: null } }, events })
    },

    /** Notes once that the person has been told; throws when the note is not known yet. */
    async answered({ id: eventId, occurredAt, data }: EventOf<'AnswerSent'>): Promise<void> {
      const { transcriptionId: _id, way: detail } = data
      const entry = { step: 'answered', at: new Date(occurredAt), detail, eventId }
      const timeline = { $each: [entry], $slice: -TIMELINE_LENGTH }
      const where = { _id, deletedAt: null, 'timeline.eventId': { $ne: eventId } }
      const { matchedCount } = await notes.updateOne(where, { $push: { timeline } })
      if (!matchedCount && !(await notes.exists({ _id }))) throw new Error(`Note ${_id} is not known yet`)
    },

    /** Changes title or text of the version that was read; null when it is another one by now. */
    async edited({ _id, attempt, version }: NoteRecord, set: Edited): Promise<NoteRecord | null> {
      const note = await notes
        .findOneAndUpdate(
          { _id, attempt, version: version ?? null, deletedAt: null, status: { $ne: 'processing' } },
          { $set: { ...set, ...UNSETTLED, version: (version ?? 1) + 1 }, $inc: { changes: 1 } },
          { returnDocument: 'after' },
        )
        .lean()
      if (note) changed(note)
      return note
    },

    /** The key that addresses of the audio are signed with: the given one becomes it when there is none yet. */
    async keyOf(id: string, proposed: string): Promise<string | null> {
      await notes.updateOne({ _id: id, audioKey: null, deletedAt: null }, { $set: { audioKey: proposed } })
      return (await notes.findById(id, { audioKey: 1 }).lean())?.audioKey ?? null
    },

    audioGone: (id: string) => notes.updateOne({ _id: id }, { $set: { objectKey: null } }),

    /** Notes that have been at this stage, without progress, since before that time. */
    stuck: (stage: Stage, before: Date, limit: number) =>
      notes
        .find({ status: 'processing', stage, since: { $lt: before }, deletedAt: null })
        .limit(limit)
        .lean(),

    /** Returns the note as it was, or null when there is no such note of this person. */
    async deleted(id: string, userId: string): Promise<NoteRecord | null> {
      const note = await notes.findOne({ _id: id, userId, deletedAt: null }).lean()
      if (!note) return null
      const deletedAt = now()
      const set = { deletedAt, forgetAt: new Date(deletedAt.getTime() + REMEMBERED_MS) }
      const where = { status: note.status }
      const done = await take('deleted', note, set, { where, unset: LEFT_BEHIND, events: deleted(note) })
      if (!done) return this.deleted(id, userId)
      changed({ ...note, ...set })
      return note
    },

    /** It turned out not to be this person's. One that is still on its way finds its tombstone. */
    async withdrawn(id: string, userId: string): Promise<void> {
      if (await this.deleted(id, userId)) return
      const deletedAt = now()
      const forgetAt = new Date(deletedAt.getTime() + REMEMBERED_MS)
      await insert('refused', { _id: id, attempt: 1, deletedAt, forgetAt })
    },
  }
}
export type Notes = ReturnType<typeof createNotes>

/** Its `userId` goes as soon as it is not counted any more. */
const LEFT_BEHIND = {
  sha256: 1,
  firstOf: 1,
  sameAs: 1,
  words: 1,
  listedLanguage: 1,
  source: 1,
  fileName: 1,
  title: 1,
  objectKey: 1,
  parts: 1,
  text: 1,
  segments: 1,
  original: 1,
  audioKey: 1,
  levels: 1,
  timeline: 1,
  notices: 1,
  notice: 1,
  error: 1,
} as const
