import { promisify } from 'node:util'
import { CONVERSATION_BODY_MAX } from '@voxscribe/contracts/http'
import { CHATS_BYTES_MAX } from '@voxscribe/contracts/limits'
import { createBodySlots, leftSignal, refusal, refusedFor } from '@voxscribe/service'
import express, { type Request } from 'express'
import { openReading, type Reading } from './read/reading.ts'
import type { ConversationRecord, Store } from './store.ts'
import { createTurns } from './turns.ts'

/** A larger body needs a place: while it is read, memory holds several copies of it. */
const SMALL_BYTES = 1024 * 1024
const RETRY_AFTER_SECONDS = 5
/** Each chat is read in its own thread, which takes a second to start. */
const READ_AT_ONCE = { atOnce: 2, perPerson: 10 }

const readBody = promisify(express.raw({ type: () => true, limit: CONVERSATION_BODY_MAX, inflate: false }))

/** Reads the body of a call. Throws 413 if it is too long. */
async function bodyOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  await readBody(request, request.res!)
  return Buffer.isBuffer(request.body) ? (request.body as Buffer<ArrayBuffer>) : Buffer.alloc(0)
}

/** Imports exports of chats. `changed` is called when a stored conversation has been read again. */
export function createImporting(store: Store, changed: (conversation: ConversationRecord) => Promise<void>) {
  const takeSlot = createBodySlots({ total: 2, perCaller: 1 })
  const turns = createTurns(READ_AT_ONCE, () => refusedFor(RETRY_AFTER_SECONDS, 'imports_under_way'))

  /** Reads when it is the call's turn, unless the caller has left. Throws 429 for too many calls of one person. */
  function inTurn<T>(userId: string, request: Request, read: (reading: Reading) => Promise<T>): Promise<T> {
    const left = leftSignal(request.res!)
    return turns(userId, async () => {
      left.throwIfAborted()
      const reading = openReading()
      return read(reading).finally(reading.close)
    })
  }

  async function loadStoredText(conversation: ConversationRecord, reading: Reading): Promise<void> {
    for await (const { items } of store.items(conversation, 'text')) await reading.earlier(items.join(''))
  }

  /** Returns the stored conversation of the same chat, if there is one; the reading then holds both texts. */
  async function earlierOf(userId: string, chat: Awaited<ReturnType<Reading['open']>>, reading: Reading) {
    const same = await store.sent(userId, chat.sha256)
    const candidates = same ? [same] : await store.earlierCandidates(userId, chat)
    for (const conversation of candidates) {
      const isSame = conversation.sha256 === chat.sha256
      if (!isSame) await loadStoredText(conversation, reading)
      const as = await reading.join(isSame, await store.all(conversation, 'files'))
      if (as !== 'other') return { conversation, isKnown: as === 'known' }
    }
    return null
  }

  async function kept(userId: string, body: Uint8Array<ArrayBuffer>, reading: Reading) {
    const chat = await reading.open(body)
    const earlier = await earlierOf(userId, chat, reading)
    if (earlier?.isKnown) return { conversation: earlier.conversation, isNew: false }
    if (chat.bytes + (await store.bytesOf(userId, earlier?.conversation._id)) > CHATS_BYTES_MAX)
      throw refusal('conversations_full')
    const conversation = await store.keep(userId, chat, reading, earlier?.conversation ?? null)
    if (conversation && earlier) await changed(conversation)
    if (conversation) return { conversation, isNew: !earlier }
    // Another call has stored the same text first.
    const other = await store.sent(userId, chat.sha256)
    if (!other) throw refusal('conversation_changed')
    return { conversation: other, isNew: false }
  }

  return {
    /** Imports a call's chat. Throws 400, 409 without room, 413, 429 while a large chat, or ten, of theirs are read. */
    async take(request: Request, userId: string) {
      if (!request.is('application/json') || request.headers['content-encoding']) {
        request.resume()
        throw refusal('not_as_json')
      }
      const declared = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
      if (declared > CONVERSATION_BODY_MAX) {
        request.resume()
        throw refusal('too_large')
      }
      if (declared > SMALL_BYTES && !takeSlot(userId, request, request.res!)) {
        // A client that is still sending reads the response only after the rest is consumed.
        request.resume()
        throw refusedFor(RETRY_AFTER_SECONDS, 'imports_under_way')
      }
      const body = await bodyOf(request)
      return inTurn(userId, request, reading => kept(userId, body, reading))
    },

    /** Reads a conversation's text again, with another order of day and month; null if it has changed since. */
    again: (conversation: ConversationRecord, dayFirst: boolean, request: Request) =>
      inTurn(conversation.userId, request, async reading => {
        const { _id, version, source, name, timeZone, language, bytes, sha256, userId } = conversation
        // Only the first of several waiting calls can succeed.
        if ((await store.find(_id, userId))?.version !== version) return null
        const files = await store.all(conversation, 'files')
        const facts = { source, name, timeZone, language, bytes, sha256, dayFirst }
        await loadStoredText(conversation, reading)
        const chat = await reading.reopen({ ...facts, files })
        const read = await store.keep(userId, chat, reading, conversation)
        if (read) await changed(read)
        return read
      }),
  }
}
