import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { fileNameFor, safeFileName } from '@voxscribe/contracts/file-names'
import type { CONVERSATION_FORMATS } from '@voxscribe/contracts/http'
import { type I18n, uiLanguageOf } from '@voxscribe/languages'
import { type Blobs, leftSignal, refusal, sendStream } from '@voxscribe/service'
import type { Response } from 'express'
import { writtenBy } from '../../export/export.ts'
import type { OneExport } from '../../export/one-export.ts'
import { OTHER_LETTER } from '../../export/pdf.ts'
import { inPlace } from '../../export/places.ts'
import { piecesOf, sendZip, uniqueNames, type ZippedFile } from '../../export/zip.ts'
import type { Conversations } from '../conversations.ts'
import type { ExportedNote } from '../messages.ts'
import { presentRow } from '../present.ts'
import type { ConversationRecord } from '../store.ts'
import type { DocumentFormat } from './formats.ts'
import type { Line } from './sheet.ts'
import type { Order } from './write.ts'

export type ConversationFormat = (typeof CONVERSATION_FORMATS)[number]

const WRITER = fileURLToPath(new URL('write.ts', import.meta.url))
/** A PDF or Word file of more messages takes minutes and gigabytes; a zip has a text file instead. */
const TYPESET_MAX = 20_000
const PIECE_CHARACTERS = 200_000

interface Deps {
  conversations: Conversations
  blobs: Blobs
  beginExport: OneExport
  publicUrl: string
}
interface ExportOptions {
  i18n: I18n
  isCertified: boolean
}

/** Passes bytes on, and reports their SHA-256 at the end. */
async function* digested(source: AsyncIterable<Buffer> | Iterable<Buffer>, tell: (sum: string) => void) {
  const hash = createHash('sha256')
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
  tell(hash.digest('hex'))
}

export function createConversationExports({ conversations, blobs, beginExport, publicUrl }: Deps) {
  const { store, messages, find } = conversations

  async function* linesOf(conversation: ConversationRecord, notes: Map<string, ExportedNote>) {
    const names = new Map(presentRow(conversation).people.map(({ id, name }) => [id, name]))
    for await (const message of messages.from(conversation, 1)) {
      const note = message.kind === 'note' ? notes.get(message.file?.name ?? '') : undefined
      const name = message.person && (names.get(conversations.rootOf(conversation, message.person)) ?? null)
      const { text = '', original, durationSeconds: seconds = null, sha256 = null } = note ?? {}
      const said = note ? { text, original: original?.text ?? null, seconds, sha256 } : null
      yield { ...message, name, note: said } satisfies Line
    }
  }

  async function isLegible(conversation: ConversationRecord, notes: Map<string, ExportedNote>) {
    const { name, people } = presentRow(conversation)
    if (OTHER_LETTER.test([name, ...people.map(person => person.name)].join(' '))) return false
    for await (const { text, file, note } of linesOf(conversation, notes))
      if (OTHER_LETTER.test([text, file?.name, note?.text, note?.original].join(' '))) return false
    return true
  }

  /** Yields the program's input in pieces, so that no chat is in memory as a whole. */
  async function* orderOf(
    conversation: ConversationRecord,
    notes: Map<string, ExportedNote>,
    format: DocumentFormat,
    { i18n, isCertified }: ExportOptions,
  ): AsyncGenerator<Buffer> {
    const order: Order = {
      format,
      language: uiLanguageOf(i18n.locale) ?? 'en',
      conversation: presentRow(conversation),
      sha256: conversation.sha256,
      missing: await store.all(conversation, 'missing'),
      isCertified,
      publicUrl,
    }
    let piece = `${JSON.stringify(order)}\n`
    for await (const line of linesOf(conversation, notes)) {
      piece += `${JSON.stringify(line)}\n`
      if (piece.length < PIECE_CHARACTERS) continue
      yield Buffer.from(piece)
      piece = ''
    }
    yield Buffer.from(piece)
  }

  function written(
    conversation: ConversationRecord,
    notes: Map<string, ExportedNote>,
    format: DocumentFormat,
    options: ExportOptions,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const input = orderOf(conversation, notes, format, options)
    return inPlace(() => writtenBy(WRITER, input, signal), { signal })
  }

  async function* textOf(conversation: ConversationRecord): AsyncGenerator<Buffer> {
    for await (const { items } of store.items(conversation, 'text')) yield Buffer.from(items.join(''))
  }

  async function* jsonOf(conversation: ConversationRecord): AsyncGenerator<Buffer> {
    const { messages: _count, ...facts } = await conversations.presented(conversation)
    const { sha256 } = conversation
    yield Buffer.from(`${JSON.stringify({ ...facts, sha256 }).slice(0, -1)},"messages":[`)
    for (let after: number | null = 0; after !== null; ) {
      const page = await messages.page(conversation, { after, limit: 1_000 })
      const shown = page.messages.map(message => JSON.stringify(message)).join()
      yield Buffer.from(`${after ? ',' : ''}${shown}`)
      after = page.next
    }
    yield Buffer.from(']}\n')
  }

  /** Yields the chat's text, the document, the recordings, and the digests of all. */
  async function* filesOf(
    conversation: ConversationRecord,
    options: ExportOptions,
    signal: AbortSignal,
  ): AsyncGenerator<ZippedFile> {
    const at = conversation.to
    const sums: string[] = []
    const add = (name: string, source: AsyncIterable<Buffer> | Iterable<Buffer>): ZippedFile => ({
      name,
      at,
      content: Readable.from(
        digested(source, sum => sums.push(`${sum}  ${name}\n`)),
        { objectMode: false },
      ),
      isText: true,
    })
    yield add(conversation.source === 'telegram' ? 'result.json' : 'chat.txt', textOf(conversation))
    const notes = await messages.exportedNotesOf(conversation._id)
    const isSet = conversation.messages <= TYPESET_MAX && (await isLegible(conversation, notes))
    const format: DocumentFormat = isSet ? 'pdf' : 'txt'
    const content = await written(conversation, notes, format, options, signal)
    yield add(`conversation.${format}`, piecesOf(content))
    const unique = uniqueNames()
    for (const [file, { objectKey, createdAt }] of notes) {
      if (!objectKey || !(await blobs.exists(objectKey))) continue
      const name = `audio/${unique(safeFileName(file.slice(file.lastIndexOf('/') + 1)) || 'audio.bin')}`
      const audio = await blobs.read(objectKey)
      try {
        yield { ...add(name, audio), at: createdAt, isText: false }
      } finally {
        audio.destroy()
      }
    }
    yield { name: 'SHA256SUMS', at, content: Buffer.from(sums.join('')) }
  }

  return {
    /** Yields all that is stored of each conversation of a person, as JSON. */
    async *allOf(userId: string): AsyncGenerator<ZippedFile> {
      for (const conversation of await store.list(userId, 0, 0)) {
        const content = Readable.from(jsonOf(conversation), { objectMode: false })
        try {
          yield { name: conversation.name, at: conversation.to, content, isText: true }
        } finally {
          content.destroy()
        }
      }
    },

    /** Sends a file of a conversation. Throws 404, 409 if the format can't hold it, 429 during another export. */
    async send(
      response: Response,
      id: string,
      userId: string,
      format: ConversationFormat,
      options: ExportOptions,
    ) {
      const conversation = await find(id, userId)
      const isSet = format === 'pdf' || format === 'docx'
      if (isSet && conversation.messages > TYPESET_MAX) throw refusal('conversation_too_long')
      const begun = await beginExport(userId)
      const signal = AbortSignal.any([begun.signal, leftSignal(response)])
      const name = fileNameFor(conversation.name, `.${format}`)
      try {
        if (format === 'zip')
          return await sendZip(response, name, filesOf(conversation, options, signal), begun)
        const notes = await messages.exportedNotesOf(id)
        if (format === 'pdf' && !(await isLegible(conversation, notes)))
          throw refusal('pdf_not_in_this_script')
        const content =
          format === 'json'
            ? jsonOf(conversation)
            : [await written(conversation, notes, format, options, signal)]
        response.attachment(name).set('x-content-type-options', 'nosniff')
        await sendStream(response, Readable.from(content, { objectMode: false }), { signal })
      } finally {
        await begun.release()
      }
    },
  }
}
export type ConversationExports = ReturnType<typeof createConversationExports>
