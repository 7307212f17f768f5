// A thread: reads a chat's export for `reading.ts`, as a long one takes seconds.
import { createHash } from 'node:crypto'
import { parentPort } from 'node:worker_threads'
import { ChatUnreadable } from '@voxscribe/contracts/chat'
import { ConversationBody } from '@voxscribe/contracts/http'
import { CHAT_BYTES_MAX } from '@voxscribe/contracts/limits'
import { readChat } from '@voxscribe/contracts/read-chat'
import { type ListedFile, type Part, partsOf } from './parts.ts'
import type { FromReader, Opened, ToReader } from './reading.ts'
import { joinedText } from './relation.ts'

const port = parentPort!
const say = (message: FromReader) => port.postMessage(message)

/** Pieces that are still to be sent: one at a time, so that the receiver is never held. */
let left: Generator<Part> | undefined
/** Pieces of a text that is stored. */
let earlier: string[] = []
let chat: Opened & { text: string; files: ListedFile[] }

function open(body: Uint8Array): FromReader {
  let given: unknown
  try {
    given = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString())
  } catch {
    return { kind: 'refused', why: 'not_json' }
  }
  const { data, error } = ConversationBody.safeParse(given)
  if (!data)
    return {
      kind: 'invalid',
      errors: error.issues.map(({ path, message }) => ({ field: path.join('.'), message })),
    }
  const { files, ...about } = data
  const text = data.text
  const bytes = Buffer.byteLength(text)
  if (bytes > CHAT_BYTES_MAX) return { kind: 'refused', why: 'too_large' }
  chat = { ...about, files: unique(files), text, bytes, sha256: sha256Of(text) }
  return opened()
}

function opened(): FromReader {
  const { text: _text, files: _files, ...about } = chat
  return { kind: 'opened', chat: about }
}

const sha256Of = (text: string) => createHash('sha256').update(text).digest('hex')

/** Of files with one name the first counts. */
const unique = (files: ListedFile[]): ListedFile[] =>
  [...new Map(files.toReversed().map(file => [file.name, file])).values()].toReversed()

function earlierText(): string {
  const text = earlier.join('')
  earlier = []
  return text
}

function join(stored: string, files: ListedFile[]): FromReader {
  const text = joinedText(chat.source, stored, chat.text)
  if (text === undefined) return { kind: 'joined', as: 'other' }
  const known = new Set(files.map(({ name }) => name))
  const hasMore = chat.files.some(({ name }) => !known.has(name))
  if (text === stored && !hasMore) return { kind: 'joined', as: 'known' }
  chat = {
    ...chat,
    text,
    files: unique([...files, ...chat.files]),
    bytes: Buffer.byteLength(text),
    sha256: sha256Of(text),
  }
  return { kind: 'joined', as: 'longer' }
}

function read(): void {
  const { source, text, files, dayFirst, timeZone } = chat
  const found = readChat({ source, text, files: files.map(({ name }) => name), dayFirst, timeZone })
  const counts = found.people.map(() => 0)
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { at, person } of found.messages) {
    if (person !== null) counts[person]! += 1
    from = Math.min(from, at)
    to = Math.max(to, at)
  }
  const { notes, parts } = partsOf(text, found, files)
  const { bytes, sha256 } = chat
  const people = found.people.map((person, index) => ({ ...person, messages: counts[index]! }))
  const { dayFirst: order, ambiguous, messages } = found
  const facts = {
    people,
    from,
    to,
    messages: messages.length,
    notes,
    dayFirst: order,
    ambiguous,
    bytes,
    sha256,
  }
  say({ kind: 'read', chat: facts })
  left = parts
}

port.on('message', (message: ToReader) => {
  try {
    if (message.kind === 'open') say(open(message.body))
    if (message.kind === 'reopen') {
      chat = { ...message.chat, text: earlierText() }
      say(opened())
    }
    if (message.kind === 'earlier') earlier.push(message.text)
    if (message.kind === 'join') say(join(message.isSame ? chat.text : earlierText(), message.files))
    if (message.kind === 'read') read()
    if (message.kind === 'next') {
      const { value } = left!.next()
      say(value ? { kind: 'part', part: value } : { kind: 'done' })
    }
  } catch (error) {
    if (!(error instanceof ChatUnreadable)) throw error
    say({ kind: 'unreadable', reason: error.reason, line: error.line })
  }
})
