import { isRecording } from '@voxscribe/contracts/chat'
import type { EventOf } from '@voxscribe/contracts/events'
import type { api, CheckedBodyOf, Conversation } from '@voxscribe/contracts/http'
import { type Documents, invalidField, type Job, type Logger, refusal, refusedFor } from '@voxscribe/service'
import type { Request } from 'express'
import { presentConversationPlace } from '../note/item.ts'
import type { NoteRecord } from '../note/record.ts'
import type { ConversationPlace, Notes } from '../note/store.ts'
import { createImporting } from './importing.ts'
import { createMessages, PLACED } from './messages.ts'
import { presentConversation, presentRow } from './present.ts'
import { type ConversationRecord, createStore, type Person, rootsOf } from './store.ts'
import { createTurns } from './turns.ts'

interface Deps {
  documents: Documents
  notes: Notes
  /** Deletes a person's note, as their own call would. */
  remove(id: string, userId: string): Promise<unknown>
  now(): Date
  log: Logger
  everyMs: number
}
/** For calls that read whole lists of chats or recordings: the largest are 20 to 60 MB, ordinary ones take a moment. */
const READ_AT_ONCE = { atOnce: 2, perPerson: 100 }
export const RETRY_AFTER_SECONDS = 2

type Change = CheckedBodyOf<typeof api.changeConversation>

/** Keeps the chats that people import. */
export function createConversations({ documents, notes, remove, now, log, everyMs }: Deps) {
  const store = createStore(documents, now)
  const messages = createMessages(store, notes.model)
  const importing = createImporting(store, copyToNotes)
  const inTurn = createTurns(READ_AT_ONCE, () => refusedFor(RETRY_AFTER_SECONDS, 'overloaded'))
  const ofChat = (id: string) => ({ 'conversation.id': id, deletedAt: null })

  async function find(id: string, userId: string): Promise<ConversationRecord> {
    const conversation = await store.find(id, userId)
    if (!conversation) throw refusal('conversation_unknown')
    return conversation
  }

  /** Runs in turn, as a long chat may name very many recordings. */
  const presented = (conversation: ConversationRecord): Promise<Conversation> =>
    inTurn(conversation.userId, () => listed(conversation))

  async function listed(conversation: ConversationRecord): Promise<Conversation> {
    const [listed, missing, made] = await Promise.all([
      store.all(conversation, 'notes'),
      store.all(conversation, 'missing'),
      messages.notesOf(conversation._id, PLACED),
    ])
    return presentConversation(conversation, listed, missing, file => made.get(file)?._id)
  }

  /** Returns a recording's place in its conversation; null if the export lacks the file, or it is not a recording. */
  async function conversationPlace(
    conversation: ConversationRecord,
    file: string,
  ): Promise<ConversationPlace | null> {
    const { _id: id, name, people } = conversation
    for await (const { items } of store.items(conversation, 'notes')) {
      const listed = items.find(item => item.file === file)
      if (!listed) continue
      const root = listed.person && rootsOf(people)(listed.person)
      const person = people.find(each => each.id === root)
      return {
        conversation: { id, name, n: listed.n, file },
        sender: person ? { id: person.id, name: person.name } : null,
        createdAt: new Date(listed.at),
      }
    }
    if (!isRecording(file)) return null
    for await (const { items } of store.items(conversation, 'files'))
      if (items.some(item => item.name === file))
        return { conversation: { id, name, n: null, file }, sender: null }
    return null
  }

  /** Copies names, sender and time from a conversation to those of its notes where they have changed. */
  async function copyToNotes(conversation: ConversationRecord): Promise<void> {
    const { _id: id, name, people } = conversation
    const rootOf = rootsOf(people)
    const names = new Map(people.map(person => [person.id, person.name]))
    const places = new Map((await store.all(conversation, 'notes')).map(note => [note.file, note]))
    const found = notes.model.find(ofChat(id), { conversation: 1, sender: 1, createdAt: 1 })
    for (const note of await found.lean<NoteRecord[]>()) {
      const { file } = note.conversation!
      const place = places.get(file)
      const root = place?.person && rootOf(place.person)
      const sender = root ? { id: root, name: names.get(root)! } : null
      const createdAt = place ? new Date(place.at) : note.createdAt
      const current = { conversation: { id, name, n: place?.n ?? null, file }, sender, createdAt }
      const before = { conversation: note.conversation, sender: note.sender, createdAt: note.createdAt }
      if (JSON.stringify(current) !== JSON.stringify(before))
        await notes.model.updateOne({ _id: note._id, deletedAt: null }, { $set: current })
    }
    await complete(conversation)
  }

  /** Publishes, once, that every recording has a note that is done. */
  async function complete(conversation: ConversationRecord): Promise<void> {
    if (conversation.completedAt) return
    const done = {
      ...ofChat(conversation._id),
      'conversation.n': { $gt: 0 },
      status: { $ne: 'processing' as const },
    }
    const isDone = !conversation.notes || (await notes.model.countDocuments(done)) >= conversation.notes
    if (isDone) await store.completed(conversation, presentRow(conversation))
  }

  /** Deletes a conversation. Idempotent: an interrupted deletion resumes here. */
  async function finishDeletion({ _id: id, userId, leaving }: ConversationRecord): Promise<void> {
    const left = await notes.model.find(ofChat(id), { _id: 1 }).lean()
    for (const note of left)
      if (leaving === 'with-notes') await remove(note._id, userId)
      else await notes.model.updateOne({ _id: note._id }, { $set: { conversation: null, sender: null } })
    await notes.shares.end(id)
    await store.delete(id)
  }

  async function look(): Promise<void> {
    for (const conversation of await store.open()) await complete(conversation)
    for (const conversation of await store.deleting()) await finishDeletion(conversation)
    for (const { _id } of await store.stale()) await store.delete(_id)
    await store.deleteUnread()
  }

  /** Changes a conversation. `countImport` is called with the bytes of a text that has to be read again. */
  async function change(
    id: string,
    userId: string,
    { version, dayFirst, people, ...set }: Change,
    request: Request,
    countImport: (bytes: number) => Promise<unknown>,
  ) {
    const before = await find(id, userId)
    if (version !== undefined && version !== before.version) throw refusal('conversation_changed')
    const changed = people ? withChanges(before.people, people) : before.people
    if (set.me && !changed.some(person => person.id === set.me))
      throw invalidField('me', 'person_unknown', { id: set.me })
    const readsAgain = dayFirst !== undefined && before.ambiguous && dayFirst !== before.dayFirst
    if (readsAgain) await countImport(before.bytes)
    const fields = { ...set, ...(people && { people: changed }) }
    const hasFields = Object.keys(fields).length > 0 || !readsAgain
    const saved = hasFields ? await store.changed(before, fields) : before
    const done = saved && readsAgain ? await importing.again(saved, dayFirst, request) : saved
    if (!done) throw refusal('conversation_changed')
    await copyToNotes(done)
    return done
  }

  /** Returns a page of a person's chats, latest first. */
  async function list(userId: string, page: number, limit: number) {
    const [found, total] = await Promise.all([
      store.list(userId, (page - 1) * limit, limit),
      store.count(userId),
    ])
    const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) }
    return { conversations: found.map(presentRow), pagination }
  }

  return {
    store,
    messages,
    importing,
    find,
    presented,
    list: (userId: string, page: number, limit: number) => inTurn(userId, () => list(userId, page, limit)),
    rootOf: ({ people }: ConversationRecord, id: string) => rootsOf(people)(id),
    change,
    complete,

    /** Returns the place of an upload's note; null if its conversation is gone. */
    async placeOfUpload({ data: { userId, conversation: asked } }: EventOf<'MediaReceived'>) {
      const conversation = asked && (await store.find(asked.id, userId))
      return conversation ? conversationPlace(conversation, asked.file) : null
    },

    /** Returns a file's place. Throws 404 for an unknown conversation, 400 for a file that is not its recording. */
    async fileOf(userId: string, id: string, file: string) {
      const conversation = await find(id, userId)
      if (!file) throw invalidField('conversationFile', 'chat_file_missing')
      const place = await conversationPlace(conversation, file)
      if (!place) throw invalidField('conversationFile', 'chat_file_unknown')
      const { createdAt } = place
      const at = createdAt && { createdAt: createdAt.toISOString() }
      return { ...presentConversationPlace(place), ...at, language: conversation.language }
    },

    async remove(id: string, userId: string, withNotes: boolean): Promise<void> {
      const conversation = await store.beginDeletion(id, userId, withNotes ? 'with-notes' : 'alone')
      if (!conversation) throw refusal('conversation_unknown')
      await finishDeletion(conversation)
    },

    /** Completes a note's conversation if this was the last note to end. */
    noteChanged(note: NoteRecord): void {
      if (!note.conversation || note.status === 'processing') return
      store
        .byId(note.conversation.id)
        .then(conversation => conversation && complete(conversation))
        // The job tries again later.
        .catch(err => log.warn({ err }, 'a conversation is looked at later'))
    },

    jobs: [{ name: 'complete-conversations', everyMs, run: look }] satisfies Job[],
  }
}
export type Conversations = ReturnType<typeof createConversations>

/** Renames and joins people. Throws 400 for an unknown person, or one who would be joined with themselves. */
function withChanges(people: Person[], changes: NonNullable<Change['people']>): Person[] {
  const next = new Map(people.map(person => [person.id, { ...person }]))
  for (const { id, name, sameAs } of changes) {
    const person = next.get(id)
    if (!person) throw invalidField('people', 'person_unknown', { id })
    if (sameAs && !next.has(sameAs)) throw invalidField('people', 'person_unknown', { id: sameAs })
    if (name !== undefined) Object.assign(person, { name, isNamed: true })
    if (sameAs === undefined) continue
    person.sameAs = null
    // A circle would leave no person to show.
    if (sameAs && rootsOf([...next.values()])(sameAs) === id)
      throw invalidField('people', 'person_unknown', { id: sameAs })
    person.sameAs = sameAs
  }
  return [...next.values()]
}
