import type { Envelope, EventOf } from '@voxscribe/contracts/events'
import { type Reason, reason } from '@voxscribe/contracts/reasons'
import { Later } from '@voxscribe/messaging'
import { type Documents, insertOnce, isDuplicateKey } from '@voxscribe/service'
import { lineSeconds } from '../metrics.ts'
import { SAME_UNDER_WAY } from '../reasons.ts'
import { completed, deleted, failed, normalised, queued, tryFailed } from './events.ts'
import type { Leases } from './leases.ts'
import {
  type Edited,
  type NoteRecord,
  noteSchema,
  type Reserved,
  type SavedPart,
  type Segment,
  type Stage,
  type TimelineEntry,
} from './record.ts'
import { isIn, STEPS, type Step, type StepName, stateAfter, type WrittenBy } from './steps.ts'

/** A tombstone outlives everything that could be delivered again. */
const REMEMBERED_MS = 60 * 86_400_000
const TIMELINE_LENGTH = 100
/** More notes at once than all processes work on. */
const MOST_AT_WORK = 1_000
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

/** Steps for which notes wait in line. */
export type Work = 'measuring' | 'listening'

/** A note in our hands, and the place that it had in line; 0: it has not waited. */
export interface Begun {
  note: NoteRecord
  turn: number
}

/** Options of a refresh. */
export type Wanted = Pick<NoteRecord, 'language' | 'askedEngine'>

export interface Length {
  durationSeconds: number
  isSilent: boolean
  levels: number[]
  spoken?: number[] | null
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
  turn: null,
  reserved: null,
  title: null,
  mime: null,
  durationSeconds: null,
  isSilent: false,
  levels: [],
  spoken: null,
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
  const notes = documents.outboxModel('transcriptions', noteSchema())

  /** Returns the note, or null when it was there. */
  async function insert(step: 'received' | 'refused', note: Partial<NoteRecord>): Promise<NoteRecord | null> {
    const at = now()
    const begun = { ...fresh(at, step), ...stateAfter(STEPS[step], at), ...note } as NoteRecord
    if (!(await insertOnce(notes, begun))) return null
    changed(begun)
    return begun
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
  /** Notes in line for a step, and those at it. */
  const inLine = (step: Work) => ({ status: 'processing' as const, stage: STEPS[step].to, turn: { $gte: 0 } })
  const atWork = (step: Work) => ({
    status: 'processing' as const,
    stage: STEPS[step].to,
    turn: null,
    lease: { $ne: null },
  })
  const ours = (it: Attempt) => ({ ...ofAttempt(it), 'lease.owner': leases.owner })

  const freeOrOurs = () => ({ $or: [{ lease: null }, { 'lease.owner': leases.owner }] })

  /** Takes a note out of the hands of a process that is gone; null while it seems to be there. */
  async function takeOver(step: Work, { _id, attempt, lease: held }: NoteRecord): Promise<NoteRecord | null> {
    if (!held || !leases.hasRunOut(_id, held)) return null
    const where = { 'lease.owner': held.owner, 'lease.beat': held.beat }
    const lease = { owner: leases.owner, beat: 0 }
    const taken = await take(step, { _id, attempt }, { lease }, { where, detail: 'taken over' })
    leases.forget(_id)
    return taken
  }

  return {
    model: notes,
    byId: (id: string) => notes.findById(id).lean(),
    /** The note, if it is in progress at this attempt and at this stage. */
    at: (it: Attempt, stage: Stage) => notes.findOne({ ...ofAttempt(it), stage }).lean(),

    /**
     * A note whose file has come. One that had failed because its file could not be fetched begins again. Null when it
     * has begun before.
     */
    async received({ data, traceId, occurredAt }: EventOf<'MediaReceived'>): Promise<NoteRecord | null> {
      const { mediaId: _id, userId, source, fileName, title = null, mime, bytes, objectKey, language } = data
      const { country = null, sha256 } = data
      const note = await insert('received', {
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
      return note ?? take('receivedLate', { _id, attempt: 1 }, change, { where })
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
    async begin(step: Work, it: Attempt, set: { reserved?: Reserved } = {}): Promise<NoteRecord | null> {
      const lease = { owner: leases.owner, beat: 0 }
      const note = await take(step, it, { ...set, lease }, { where: freeOrOurs() })
      if (note) return note
      const held = await notes.findOne({ ...ofAttempt(it), ...isIn(STEPS[step].from) }).lean()
      if (!held) return null
      const taken = await takeOver(step, held)
      if (taken) return taken
      throw new Later('Another process works on this note', LOOK_AGAIN_MS)
    },

    /** Takes the next note of the line into the hands of this process; null when nobody waits who fits. */
    async next(step: Work, fits: Record<string, unknown> = {}): Promise<Begun | null> {
      for (;;) {
        const first = await notes
          .findOne({ ...inLine(step), ...fits }, { attempt: 1, turn: 1, since: 1 })
          .sort({ turn: 1, since: 1 })
          .lean()
        if (!first) return null
        const { turn } = first
        const lease = { owner: leases.owner, beat: 0 }
        const note = await take(step, first, { lease }, { where: { turn, lease: null } })
        if (!note) continue
        lineSeconds.observe({ step }, (now().getTime() - first.since.getTime()) / 1000)
        return { note, turn: turn ?? 0 }
      }
    },

    /** Takes over a note that nobody works on any more, though it is at this step. */
    async abandoned(step: Work, isOurs: (it: Attempt) => boolean): Promise<Begun | null> {
      for (const held of await notes.find(atWork(step)).limit(MOST_AT_WORK).lean()) {
        const note = isOurs(held) ? null : await takeOver(step, held)
        if (note) return { note, turn: 0 }
      }
      return null
    },

    waitToMeasure: (it: Attempt, turn: number) =>
      take('inLineToMeasure', it, { turn }, { where: { turn: null, ...freeOrOurs() } }),

    /** Its sender and its page hear of a long wait. */
    async waitToListen(it: Attempt, turn: number, reserved: Reserved | null, waitSeconds?: number) {
      const note = waitSeconds ? await notes.findById(it._id).lean() : null
      const isLong = waitSeconds && note
      const set = { turn, reserved, notices: isLong ? [reason('in_line', { waitSeconds })] : [] }
      return take('inLineToListen', it, set, {
        where: { turn: null, ...freeOrOurs() },
        events: isLong ? queued(note, waitSeconds) : [],
      })
    },

    /** Returns how long the sound is that waits before this place, in seconds, and how many notes are worked on. */
    async before(turn: number): Promise<{ seconds: number; atWork: number }> {
      const [sum] = await notes.aggregate<{ seconds: number }>([
        { $match: { ...inLine('listening'), turn: { $gte: 0, $lte: turn } } },
        { $group: { _id: null, seconds: { $sum: '$durationSeconds' } } },
      ])
      return { seconds: sum?.seconds ?? 0, atWork: await notes.countDocuments(atWork('listening')) }
    },

    /** Work on it has failed: a message brings it back. */
    broke: (note: NoteRecord, step: Work) =>
      take(
        `${step}Broke`,
        note,
        {},
        { where: { 'lease.owner': leases.owner }, events: [tryFailed(note, step)] },
      ),

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

    completed(note: NoteRecord, speech: Speech, reserved: Reserved) {
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

    /** Notes that have been at this stage, without progress, since before that time: those in line for it, or the others. */
    stuck: (stage: Stage, isInLine: boolean, before: Date, limit: number) =>
      notes
        .find({
          status: 'processing',
          stage,
          since: { $lt: before },
          turn: isInLine ? { $gte: 0 } : null,
          deletedAt: null,
        })
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
  spoken: 1,
  timeline: 1,
  notices: 1,
  notice: 1,
  error: 1,
} as const
