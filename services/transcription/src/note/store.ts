import { type EventOf, messageOf } from '@voxscribe/contracts/events'
import { type Documents, refusal } from '@voxscribe/service'
import type { QueryFilter } from 'mongoose'
import { createDeletion } from './deletion.ts'
import { rejected } from './events.ts'
import { createTransitions, type NoteAttempt, TIMELINE_LENGTH } from './life.ts'
import { foundByOf, languageOf, listedLanguageOf } from './listing.ts'
import type { Edited, Mine, NoteRecord, Stage, Work } from './record.ts'
import { createResults } from './results.ts'
import { createShares } from './shares.ts'

/** A note's place in a conversation. `createdAt` is its message's time; absent for a file that no message names. */
export type ConversationPlace = Pick<NoteRecord, 'conversation' | 'sender'> &
  Partial<Pick<NoteRecord, 'createdAt'>>

/** Message ids kept per note: enough to keep the oldest, that of its text, which is quoted most. */
const MESSAGES_KEPT = 100

/** The store of notes. A change of state is a step of `STEPS`, in one write. `noticeMs`: delay of a waiting notice. */
export function createNotes(
  documents: Documents,
  now: () => Date,
  changed: (note: NoteRecord) => void,
  noticeMs: number | null = null,
) {
  const transitions = createTransitions(documents, now, changed)
  const { notes, insert, take, takeNext } = transitions
  const shares = createShares(documents, now)
  const results = createResults(transitions, noticeMs)
  return {
    ...results,
    ...createDeletion(transitions, shares),

    shares,

    model: notes,
    take,
    takeNext,
    byId: (id: string) => notes.findById(id).lean(),
    /** Returns a person's note, or only the fields in `shown`. Throws 404 if there is none. */
    async find(id: string, userId: string, shown = {}): Promise<NoteRecord> {
      const note = await notes.findOne({ _id: id, userId, deletedAt: null }, shown).lean<NoteRecord | null>()
      if (!note) throw refusal('note_unknown')
      return note
    },
    at: ({ _id, attempt }: NoteAttempt, stage: Stage) =>
      notes.findOne({ _id, attempt, status: 'processing', stage, deletedAt: null }).lean(),

    /** Stores a note whose file has come, even after a failed download; null if it was stored before. */
    async received(
      { data, traceId, occurredAt }: EventOf<'MediaReceived'>,
      work: Work,
      conversationPlace: ConversationPlace | null = null,
    ): Promise<NoteRecord | null> {
      const { mediaId: _id, receivedAt = occurredAt, conversation: _, ...facts } = data
      const { title = null, fileName, language, objectKey, bytes, sha256 } = facts
      const note = await insert('received', {
        _id,
        traceId,
        ...facts,
        createdAt: new Date(receivedAt),
        ...conversationPlace,
        words: foundByOf({ text: '', title, fileName }),
        listedLanguage: listedLanguageOf({ spokenLanguage: null, language }),
        ...(messageOf(data.source) && { answerBy: results.noticeAfter(new Date(receivedAt)) }),
        work,
        timeline: [
          { step: 'received', at: new Date(receivedAt), detail: null },
          { step: 'fetched', at: new Date(occurredAt), detail: null },
        ],
      })
      const change = { error: null, objectKey, bytes, sha256, work }
      const where = { 'error.code': 'download_failed' }
      return note ?? take('receivedLate', { _id, attempt: 1 }, change, { where })
    },

    /** Stores a refused file as a failed note, so that the person sees why. */
    async rejected(event: EventOf<'MediaRejected'>): Promise<void> {
      const { traceId, data } = event
      const { mediaId: _id, reason: error, ...facts } = data
      const language = 'auto'
      const words = foundByOf({ text: '', title: null, fileName: facts.fileName })
      const unheard = { language, listedLanguage: language, words, objectKey: null }
      await insert('refused', { _id, traceId, ...facts, ...unheard, error }, note => [rejected(event, note)])
    },

    /** Returns the note with this id, else the one that the quoted message is about; without both, the newest. */
    async about(
      { noteId: _id, quoted }: { noteId?: string | undefined; quoted?: string | undefined },
      mine: Mine,
    ): Promise<NoteAttempt | null> {
      const byMessage: QueryFilter<NoteRecord>[] = [{ 'source.messageId': quoted }, { messages: quoted }]
      for (const way of _id ? [{ _id }] : quoted === undefined ? [{}] : byMessage) {
        const note = await notes
          .findOne({ ...way, ...mine }, { _id: 1, attempt: 1 })
          .sort({ createdAt: -1, _id: 1 })
          .lean()
        if (note) return note
      }
      return null
    },

    /** Returns the languages of the person's newest notes with a text, except this one; `auto` if one isn't known. */
    async lastLanguages(
      { _id, userId }: Pick<NoteRecord, '_id' | 'userId'>,
      limit: number,
    ): Promise<string[]> {
      const last = await notes
        .find({ userId, status: 'completed', deletedAt: null, text: { $ne: '' }, _id: { $ne: _id } })
        .select({ language: 1, spokenLanguage: 1 })
        .sort({ createdAt: -1 })
        .limit(limit)
        .lean()
      return last.map(languageOf)
    },

    /** Records an answer once: its message ids and, unless it is to a command, a timeline entry. Throws if unknown. */
    async answered({ id: eventId, occurredAt, data }: EventOf<'AnswerSent'>): Promise<void> {
      const { transcriptionId: _id, way: detail, messageIds } = data
      const isCommand = detail === 'command'
      const entry = { step: 'answered', at: new Date(occurredAt), detail, eventId }
      const timeline = { $each: [entry], $slice: -TIMELINE_LENGTH }
      const messages = { $each: messageIds, $slice: -MESSAGES_KEPT }
      const isNew = isCommand ? { messages: { $nin: messageIds } } : { 'timeline.eventId': { $ne: eventId } }
      const { matchedCount } = await notes.updateOne(
        { _id, deletedAt: null, ...isNew },
        { $push: { ...(!isCommand && { timeline }), ...(messageIds.length && { messages }) } },
      )
      if (!matchedCount && !(await notes.exists({ _id }))) throw new Error(`Note ${_id} is not known yet`)
    },

    /**
     * Edits the version of a note that was read; null if it has changed since, or if its text is to change while it is
     * in progress. A second recognition may keep the version, so times and confidence are compared, too.
     */
    async edited(note: NoteRecord, set: Edited): Promise<NoteRecord | null> {
      const { _id, attempt, version, timesExact, confidence } = note
      const next = { ...set, version: version + 1 }
      const { matchedCount } = await notes.updateOne(
        {
          _id,
          attempt,
          version,
          deletedAt: null,
          ...(isNaming(set) ? {} : { status: { $ne: 'processing' }, timesExact, confidence }),
        },
        { $set: changesOf(note, next) },
      )
      if (!matchedCount) return null
      const done = { ...note, ...next }
      changed(done)
      return done
    },

    /** Marks a to-do of a person's note as done or open; null if there is none, or the gist has changed. */
    async ticked(_id: string, userId: string, place: number, done: boolean): Promise<NoteRecord | null> {
      const { gist } = (await notes.findOne({ _id, userId, deletedAt: null }, { gist: 1 }).lean()) ?? {}
      if (!gist?.tasks[place]) return null
      const where = { _id, userId, deletedAt: null, 'gist.at': gist.at }
      const set = { $set: { [`gist.tasks.${place}.done`]: done } }
      const note = await notes.findOneAndUpdate(where, set, { returnDocument: 'after' }).lean()
      if (note) changed(note)
      return note
    },

    /** Returns the key that signs links to the audio; `proposed` becomes the key if there is none yet. */
    async keyOf(id: string, proposed: string): Promise<string | null> {
      await notes.updateOne({ _id: id, audioKey: null, deletedAt: null }, { $set: { audioKey: proposed } })
      return (await notes.findById(id, { audioKey: 1 }).lean())?.audioKey ?? null
    },

    async audioGone(id: string): Promise<void> {
      const set = { $set: { objectKey: null } }
      const note = await notes.findOneAndUpdate({ _id: id }, set, { returnDocument: 'after' }).lean()
      if (note) changed(note)
    },
  }
}

/** Whether only title or tags change, which a new text leaves alone. */
export const isNaming = (set: object): boolean =>
  Object.keys(set).every(name => ['title', 'tags', 'words'].includes(name))

/** Maximum number of changed segments to write one by one. */
const SINGLY_MAX = 100

/** Returns the fields that differ; if few segments differ, only those. */
function changesOf(note: NoteRecord, { segments, ...set }: Edited): Record<string, unknown> {
  const fields = Object.entries(set).filter(([name, value]) => value !== note[name as keyof Edited])
  const before = note.segments ?? []
  const places = [...(segments ?? []).keys()].filter(at => segments?.[at] !== before[at])
  const isWhole = segments && (segments.length !== before.length || places.length > SINGLY_MAX)
  const singly = places.map(at => [`segments.${at}`, segments?.[at]])
  return { ...Object.fromEntries(isWhole ? fields : [...fields, ...singly]), ...(isWhole && { segments }) }
}
export type Notes = ReturnType<typeof createNotes>
