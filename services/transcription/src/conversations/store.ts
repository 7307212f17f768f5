import { randomUUID } from 'node:crypto'
import type { ReadMessage } from '@voxscribe/contracts/chat'
import { ConversationCompleted, derivedId } from '@voxscribe/contracts/events'
import type { ConversationRow } from '@voxscribe/contracts/http'
import { currentTrace, type Documents, deleteAll, insertOnce, schemaOf } from '@voxscribe/service'
import type { Model } from 'mongoose'
import { z } from 'zod'
import type { ListedFile, ListedNote, PartKind } from './read/parts.ts'
import type { Reading } from './read/reading.ts'
import type { Found, Opened } from './read/worker.ts'

const Person = z.object({
  id: z.string(),
  /** Distinguishes people in the export. */
  key: z.string(),
  name: z.string(),
  messages: z.number(),
  /** Whether the owner typed the name. */
  isNamed: z.boolean().optional(),
  /** Id of the person whom this one is joined with. */
  sameAs: z.string().nullable(),
})
export type Person = z.infer<typeof Person>

/** A chat that a person imported; its messages are in parts. */
const ConversationRecord = z.object({
  _id: z.string(),
  userId: z.string(),
  source: z.enum(['whatsapp', 'telegram']),
  name: z.string(),
  /** The name as sent; a later export of the same chat has it, too. */
  sentName: z.string(),
  timeZone: z.string(),
  language: z.string().nullable(),
  dayFirst: z.boolean().nullable(),
  ambiguous: z.boolean(),
  people: z.array(Person),
  me: z.string().nullable(),
  from: z.date(),
  to: z.date(),
  messages: z.number(),
  /** Number of recordings that its lines name. */
  notes: z.number(),
  /** Bytes of the text in UTF-8, and its SHA-256. */
  bytes: z.number(),
  sha256: z.string(),
  /** SHA-256 of each text that was sent for it. */
  sent: z.array(z.string()),
  /** Revision of the valid parts; null: it was never read to its end. */
  revision: z.string().nullable(),
  /** Revisions whose parts a reading began to write, or to replace, and when; those of an interrupted one stay. */
  readings: z.custom<{ revision: string; at: Date }[]>().optional(),
  version: z.number(),
  createdAt: z.date(),
  /** When all its notes were done for the first time. */
  completedAt: z.date().nullable(),
  /** Set once its deletion has begun: with its notes, or without. */
  leaving: z.enum(['with-notes', 'alone']).nullable(),
})
export type ConversationRecord = z.infer<typeof ConversationRecord>

const conversationSchema = schemaOf(ConversationRecord)
  .index({ userId: 1, to: -1, _id: 1 })
  .index({ completedAt: 1, revision: 1 })
  .index({ leaving: 1 }, { sparse: true })
  .index({ 'readings.at': 1 }, { sparse: true })

const PartRecord = z.object({
  _id: z.string(),
  userId: z.string(),
  conversation: z.string(),
  revision: z.string(),
  kind: z.custom<PartKind>(),
  /** Place of its first item, from 1. */
  from: z.number(),
  items: z.array(z.unknown()),
})
type PartRecord = z.infer<typeof PartRecord>

const partSchema = schemaOf(PartRecord)
  .index({ conversation: 1, revision: 1, kind: 1, from: 1 })
  .index({ userId: 1 })

/** A message as stored, with the id of its author. */
export interface StoredMessage extends Omit<ReadMessage, 'person'> {
  person: string | null
}
export interface StoredNote extends Omit<ListedNote, 'person'> {
  person: string | null
}
interface Items {
  text: string
  files: ListedFile
  notes: StoredNote
  missing: string
  messages: StoredMessage
}

type PartsOwner = Pick<ConversationRecord, '_id' | 'userId' | 'people'>

/** Digests of sent texts to keep per conversation. */
const SENT_MAX = 100
const STALE_MS = 3_600_000

/** Returns a function that follows joins from a person's id to the person to show. */
export function rootsOf(people: Pick<Person, 'id' | 'sameAs'>[]): (id: string) => string {
  const joined = new Map(people.flatMap(({ id, sameAs }) => (sameAs ? [[id, sameAs]] : [])))
  return id => {
    let root = id
    for (let next = joined.get(root); next; next = joined.get(root)) root = next
    return root
  }
}

/** Assigns ids to people; those with a known `key` keep their id, typed name and join. */
function peopleOf(found: Found['people'], before: Person[]): Person[] {
  const known = new Map(before.map(person => [person.key, person]))
  const ids = new Set(before.map(({ id }) => id))
  let last = 0
  const freshId = () => {
    do last += 1
    while (ids.has(`p${last}`))
    return `p${last}`
  }
  return found.map(({ key, name, messages }) => {
    const { id = freshId(), name: named, isNamed, sameAs = null } = known.get(key) ?? {}
    return { id, key, name: isNamed && named ? named : name, messages, sameAs, ...(isNamed && { isNamed }) }
  })
}

export function createStore(documents: Documents, now: () => Date) {
  const conversations = documents.outboxModel('conversations', conversationSchema, { owner: 'userId' })
  const parts: Model<PartRecord> = documents.model('conversation_parts', partSchema, { owner: 'userId' })
  const whole = { revision: { $ne: null }, leaving: null } as const
  const staleSince = () => new Date(now().getTime() - STALE_MS)

  async function writeParts(conversation: PartsOwner, revision: string, reading: Reading) {
    const { _id: id, userId, people } = conversation
    const withIds = (item: { person: number | null }) => ({
      ...item,
      person: item.person === null ? null : people[item.person]!.id,
    })
    for await (const part of reading.parts()) {
      const { kind, from } = part
      const items = kind === 'messages' || kind === 'notes' ? part.items.map(withIds) : part.items
      const _id = `${revision} ${kind} ${from}`
      await insertOnce(parts, { _id, userId, conversation: id, revision, kind, from, items })
    }
  }

  /** Deletes the parts of other readings, by ranges: the index answers these without reading the parts that stay. */
  async function deleteEarlier(conversation: string, revision: string): Promise<void> {
    await deleteAll(parts, { conversation, revision: { $lt: revision } })
    await deleteAll(parts, { conversation, revision: { $gt: revision } })
  }

  return {
    model: conversations,

    /** Returns a person's conversation that has been read to its end. */
    find: (id: string, userId: string) => conversations.findOne({ _id: id, userId, ...whole }).lean(),
    byId: (id: string) => conversations.findOne({ _id: id, ...whole }).lean(),
    has: async (userId: string) => (await conversations.exists({ userId, ...whole })) !== null,
    /** Returns the conversations that this may be a later export of. */
    earlierCandidates: (userId: string, { source, name }: Opened) =>
      conversations.find({ userId, source, sentName: name, ...whole }).lean(),
    sent: (userId: string, sha256: string) =>
      conversations.findOne({ userId, sent: sha256, ...whole }).lean(),
    list: (userId: string, skip: number, limit: number) =>
      conversations
        .find({ userId, ...whole })
        .sort({ to: -1, _id: 1 })
        .skip(skip)
        .limit(limit)
        .lean(),
    count: (userId: string) => conversations.countDocuments({ userId, ...whole }),
    /** Returns the bytes of a person's other texts, including those still being read. */
    async bytesOf(userId: string, besides = ''): Promise<number> {
      const others = await conversations.find({ userId, _id: { $ne: besides } }, { bytes: 1 }).lean()
      return others.reduce((sum, { bytes }) => sum + bytes, 0)
    },

    /** Yields all items of a kind from a place on, in order. */
    async *items<K extends PartKind>(
      { _id: conversation, revision }: Pick<ConversationRecord, '_id' | 'revision'>,
      kind: K,
      from = 1,
    ): AsyncGenerator<{ from: number; items: Items[K][] }> {
      const which = { conversation, revision: revision!, kind }
      const first = await parts
        .findOne({ ...which, from: { $lte: from } })
        .sort({ from: -1 })
        .lean()
      for (let part = first; part; ) {
        yield { from: part.from, items: part.items as Items[K][] }
        const next =
          kind === 'text' ? part.from + (part.items[0] as string).length : part.from + part.items.length
        part = await parts.findOne({ ...which, from: next }).lean()
      }
    },

    async all<K extends PartKind>(conversation: ConversationRecord, kind: K): Promise<Items[K][]> {
      const found: Items[K][] = []
      for await (const { items } of this.items(conversation, kind)) found.push(...items)
      return found
    },

    /**
     * Stores a reading as a new conversation, or in place of an earlier export, by a single write at the end. Returns
     * null if another change came first.
     */
    async keep(
      userId: string,
      { name, timeZone, language = null, ...opened }: Opened,
      reading: Reading,
      earlier: ConversationRecord | null,
    ): Promise<ConversationRecord | null> {
      const found = await reading.read()
      const people = peopleOf(found.people, earlier?.people ?? [])
      const { from, to, bytes, sha256, messages, notes, dayFirst, ambiguous } = found
      const _id = earlier?._id ?? derivedId('conversation', userId, opened.source, opened.sha256)
      const revision = randomUUID()
      const facts = { people, from: new Date(from), to: new Date(to), messages, notes, dayFirst, ambiguous }
      const read = { ...facts, bytes, sha256, revision }
      if (!earlier) {
        const given = { source: opened.source, name, sentName: name, timeZone, language }
        const begun = {
          me: null,
          sent: [opened.sha256],
          version: 1,
          createdAt: now(),
          completedAt: null,
          leaving: null,
        }
        const first = { _id, userId, ...given, ...begun, ...read, revision: null, outbox: [] }
        // After a crash in between, the conversation stays unread; the next call with this text resumes.
        await insertOnce(conversations as never, first as never)
      }
      const readings = [revision, earlier?.revision].map(each => each && { revision: each, at: now() })
      await conversations.updateOne({ _id }, {
        $push: { readings: { $each: readings.filter(Boolean) } },
      } as never)
      await writeParts({ _id, userId, people }, revision, reading)
      const sent = { $each: [...new Set([opened.sha256, sha256])], $slice: -SENT_MAX }
      const done = await conversations
        .findOneAndUpdate(
          {
            _id,
            userId,
            revision: earlier?.revision ?? null,
            leaving: null,
            ...(earlier && { version: earlier.version }),
          },
          {
            $set: { ...read, ...(earlier ? { version: earlier.version + 1 } : {}) },
            ...(earlier && { $push: { sent } }),
          } as never,
          { returnDocument: 'after' },
        )
        .lean()
      if (!done) {
        await deleteAll(parts, { conversation: _id, revision })
        return null
      }
      await deleteEarlier(_id, revision)
      await conversations.updateOne({ _id }, { $set: { readings: [] } } as never)
      return done
    },

    /** Changes a conversation if its version is still the one that was read; else returns null. */
    changed: ({ _id, version }: ConversationRecord, set: Partial<ConversationRecord>) =>
      conversations
        .findOneAndUpdate(
          { _id, version, ...whole },
          { $set: { ...set, version: version + 1 } },
          { returnDocument: 'after' },
        )
        .lean(),

    /** Publishes, once, that all notes are done. */
    async completed({ _id, userId }: ConversationRecord, conversation: ConversationRow): Promise<void> {
      const event = ConversationCompleted.create(
        { userId, conversation },
        { id: derivedId('conversation-completed', _id), traceId: currentTrace() ?? randomUUID() },
      )
      await conversations.updateOne({ _id, completedAt: null, ...whole }, {
        $set: { completedAt: now() },
        $push: { outbox: event },
      } as never)
    },

    /** Deletes the parts that interrupted readings wrote, or had yet to delete. */
    async deleteUnread(): Promise<void> {
      const before = staleSince()
      const interrupted = { 'readings.at': { $lt: before }, ...whole }
      for (const { _id, revision, readings = [] } of await conversations
        .find(interrupted)
        .limit(100)
        .lean()) {
        for (const reading of readings)
          if (reading.at < before && reading.revision !== revision)
            await deleteAll(parts, { conversation: _id, revision: reading.revision })
        await conversations.updateOne({ _id }, { $pull: { readings: { at: { $lt: before } } } } as never)
      }
    },

    /** Conversations whose notes may all be done (`open`), abandoned imports (`stale`), and deletions begun. */
    open: () =>
      conversations
        .find({ completedAt: null, ...whole })
        .limit(1_000)
        .lean(),
    stale: () =>
      conversations
        .find({ revision: null, completedAt: null, createdAt: { $lt: staleSince() } })
        .limit(100)
        .lean(),
    deleting: () =>
      conversations
        .find({ leaving: { $gt: '' } as never })
        .limit(100)
        .lean(),

    beginDeletion: (id: string, userId: string, leaving: NonNullable<ConversationRecord['leaving']>) =>
      conversations
        .findOneAndUpdate({ _id: id, userId, ...whole }, { $set: { leaving } }, { returnDocument: 'after' })
        .lean(),
    async delete(id: string): Promise<void> {
      await deleteAll(parts, { conversation: id })
      await conversations.deleteOne({ _id: id })
    },
  }
}
export type Store = ReturnType<typeof createStore>
