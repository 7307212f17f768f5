import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { fileNameFor, safeFileName } from '@voxscribe/contracts/file-names'
import type { CONVERSATION_FORMATS, ConversationMessage } from '@voxscribe/contracts/http'
import type { I18n } from '@voxscribe/languages'
import { type Blobs, leftSignal, refusal } from '@voxscribe/service'
import type { Response } from 'express'
import { writtenBy } from '../../export/export.ts'
import type { OneExport } from '../../export/one-export.ts'
import { OTHER_LETTER, type Sheet } from '../../export/pdf.ts'
import { sendZip, uniqueNames, type ZippedFile } from '../../export/zip.ts'
import type { NoteRecord } from '../../note/record.ts'
import type { Conversations } from '../conversations.ts'
import { presentRow } from '../present.ts'
import type { ConversationRecord } from '../store.ts'
import type { DocumentFormat, Order } from './formats.ts'
import { type Line, sheetOf } from './sheet.ts'

export type ConversationFormat = (typeof CONVERSATION_FORMATS)[number]

const WRITER = fileURLToPath(new URL('write.ts', import.meta.url))
/** A PDF of more messages takes minutes: a zip has a text in its place. */
const TYPESET_MAX = 20_000

interface Deps {
  conversations: Conversations
  blobs: Blobs
  beginExport: OneExport
  publicUrl: string
}
interface Manner {
  i18n: I18n
  isCertified: boolean
}

const isLegible = ({ title, facts, paragraphs }: Sheet): boolean =>
  !paragraphs.some(({ runs, speaker, before }) =>
    OTHER_LETTER.test(`${speaker} ${before} ${runs.map(({ text }) => text).join('')}`),
  ) && !OTHER_LETTER.test(`${title} ${facts.map(({ value }) => value).join(' ')}`)

/** Passes bytes on, and tells their SHA-256 at the end. */
async function* digested(source: Readable, tell: (sum: string) => void) {
  const hash = createHash('sha256')
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
  tell(hash.digest('hex'))
}

/** Files of a whole conversation. */
export function createConversationExports({ conversations, blobs, beginExport, publicUrl }: Deps) {
  const { store, messages, find } = conversations

  async function linesOf(conversation: ConversationRecord, notes: Map<string, NoteRecord>): Promise<Line[]> {
    const names = new Map(presentRow(conversation).people.map(({ id, name }) => [id, name]))
    const lines: Line[] = []
    for await (const message of messages.from(conversation, 1)) {
      const note = message.kind === 'note' ? notes.get(message.file?.name ?? '') : undefined
      lines.push({
        ...message,
        name: message.person && (names.get(conversations.rootOf(conversation, message.person)) ?? null),
        note: note
          ? {
              text: note.text,
              original: note.original?.text ?? null,
              seconds: note.durationSeconds,
              sha256: note.sha256 ?? null,
            }
          : null,
      })
    }
    return lines
  }

  async function sheetFor(conversation: ConversationRecord, notes: Map<string, NoteRecord>, manner: Manner) {
    const lines = await linesOf(conversation, notes)
    const missing = await store.all(conversation, 'missing')
    const row = presentRow(conversation)
    const { sha256 } = conversation
    return sheetOf({ conversation: row, sha256, lines, missing, ...manner, publicUrl })
  }

  const written = (order: Order, signal: AbortSignal) => writtenBy(WRITER, order, { signal })

  async function jsonOf(conversation: ConversationRecord): Promise<Buffer> {
    const shown: ConversationMessage[] = []
    for (let after: number | null = 0; after !== null; ) {
      const page = await messages.page(conversation, { after, limit: 1_000 })
      shown.push(...page.messages)
      after = page.next
    }
    const { sha256 } = conversation
    const whole = { ...(await conversations.presented(conversation)), sha256, messages: shown }
    return Buffer.from(`${JSON.stringify(whole)}\n`)
  }

  /** The chat's text, its recordings, the document, and the digests of all. */
  async function* filesOf(
    conversation: ConversationRecord,
    manner: Manner,
    signal: AbortSignal,
  ): AsyncGenerator<ZippedFile> {
    const at = conversation.to
    const sums: string[] = []
    function add(name: string, content: Buffer): ZippedFile {
      sums.push(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
      return { name, at, content }
    }
    const text = (await store.all(conversation, 'text')).join('')
    yield add(conversation.source === 'telegram' ? 'result.json' : 'chat.txt', Buffer.from(text))
    const notes = await messages.wholeNotesOf(conversation._id)
    const sheet = await sheetFor(conversation, notes, manner)
    const isSet = conversation.messages <= TYPESET_MAX && isLegible(sheet)
    const format: DocumentFormat = isSet ? 'pdf' : 'txt'
    yield add(`conversation.${format}`, await written({ sheet, format }, signal))
    const unique = uniqueNames()
    for (const [file, { objectKey, createdAt }] of notes) {
      if (!objectKey || !(await blobs.exists(objectKey))) continue
      const name = `audio/${unique(safeFileName(file.slice(file.lastIndexOf('/') + 1)) || 'audio.bin')}`
      const audio = await blobs.read(objectKey)
      const content = Readable.from(
        digested(audio, sum => sums.push(`${sum}  ${name}\n`)),
        {
          objectMode: false,
        },
      )
      try {
        yield { name, at: createdAt, content }
      } finally {
        audio.destroy()
      }
    }
    yield { name: 'SHA256SUMS', at, content: Buffer.from(sums.join('')) }
  }

  return {
    /** Everything that is known of each conversation of a person, as JSON. */
    async *allOf(userId: string): AsyncGenerator<{ name: string; at: Date; content: Buffer }> {
      for (const conversation of await store.list(userId, 0, 0))
        yield { name: conversation.name, at: conversation.to, content: await jsonOf(conversation) }
    },

    /** Sends a file of a person's conversation. Throws 404, 409 for a PDF whose letters no font has, 429 during another export. */
    async send(response: Response, id: string, userId: string, format: ConversationFormat, manner: Manner) {
      const conversation = await find(id, userId)
      const begun = await beginExport(userId)
      const signal = AbortSignal.any([begun.signal, leftSignal(response)])
      const name = fileNameFor(conversation.name, `.${format}`)
      try {
        if (format === 'zip')
          return await sendZip(response, name, filesOf(conversation, manner, signal), begun)
        response.attachment(name).set('x-content-type-options', 'nosniff')
        if (format === 'json') return void response.send(await jsonOf(conversation))
        const sheet = await sheetFor(conversation, await messages.wholeNotesOf(id), manner)
        if (format === 'pdf' && !isLegible(sheet)) {
          response.removeHeader('content-disposition')
          throw refusal('pdf_not_in_this_script')
        }
        response.send(await written({ sheet, format }, signal))
      } finally {
        await begun.release()
      }
    },
  }
}
export type ConversationExports = ReturnType<typeof createConversationExports>
