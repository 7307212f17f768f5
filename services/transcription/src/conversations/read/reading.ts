import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ReadPerson, Unreadable } from '@voxscribe/contracts/chat'
import type { FieldError } from '@voxscribe/contracts/http'
import { invalid, invalidField, refusal } from '@voxscribe/service'
import type { ListedFile, Part } from './parts.ts'

/** Facts that are sent with a chat's text. */
export interface Opened {
  source: 'whatsapp' | 'telegram'
  name: string
  dayFirst?: boolean | undefined
  timeZone: string
  language?: string | null | undefined
  /** Of the text, in UTF-8. */
  bytes: number
  sha256: string
}

/** Facts that are found in a chat's text. */
export interface Found {
  people: (ReadPerson & { messages: number })[]
  /** Unix times, milliseconds. */
  from: number
  to: number
  messages: number
  notes: number
  dayFirst: boolean | null
  ambiguous: boolean
  bytes: number
  sha256: string
}

export type ToReader =
  | { kind: 'open'; body: Uint8Array }
  | { kind: 'earlier'; text: string }
  | { kind: 'reopen'; chat: Opened & { files: ListedFile[] } }
  | { kind: 'join'; isSame: boolean; files: ListedFile[] }
  | { kind: 'read' }
  | { kind: 'next' }
export type FromReader =
  | { kind: 'refused'; why: 'not_json' | 'too_large' }
  | { kind: 'invalid'; errors: FieldError[] }
  | { kind: 'unreadable'; reason: Unreadable; line: number }
  | { kind: 'opened'; chat: Opened }
  | { kind: 'joined'; as: 'other' | 'known' | 'longer' }
  | { kind: 'read'; chat: Found }
  | { kind: 'part'; part: Part }
  | { kind: 'done' }
type Answer<Kind extends FromReader['kind']> = Extract<FromReader, { kind: Kind }>

/** The longest chat takes a few seconds. */
const LIMIT_MS = 120_000

/** Reads one chat's export in a thread of its own, so that other calls go on. */
export function openReading() {
  const worker = new Worker(new URL('worker.ts', import.meta.url))
  const came: FromReader[] = []
  worker.on('message', (message: FromReader) => came.push(message))
  let failed: Error | undefined
  worker.on('error', error => {
    failed = error
  })
  const signal = AbortSignal.timeout(LIMIT_MS)

  async function next<Kind extends FromReader['kind']>(...kinds: Kind[]): Promise<Answer<Kind>> {
    while (!came.length) {
      if (failed) throw failed
      await once(worker, 'message', { signal })
    }
    const message = came.shift()!
    if (message.kind === 'invalid') throw invalid(message.errors)
    if (message.kind === 'refused')
      throw message.why === 'too_large' ? refusal('too_large') : invalidField('', 'not_json')
    if (message.kind === 'unreadable') throw unreadable(message.reason, message.line)
    if (kinds.some(kind => kind === message.kind)) return message as Answer<Kind>
    throw new Error(`The reader of a chat said ${message.kind}`)
  }
  const ask = (message: ToReader, moved: ArrayBuffer[] = []) => worker.postMessage(message, moved)

  return {
    /** Checks the body of a call. Throws 400, or 413 for a text that is too long. */
    async open(body: Uint8Array<ArrayBuffer>): Promise<Opened> {
      // The bytes of a large body are moved, not copied; a small one shares its memory with others.
      ask({ kind: 'open', body }, body.byteLength === body.buffer.byteLength ? [body.buffer] : [])
      return (await next('opened')).chat
    },
    /** Takes a piece of a text that is stored: whole texts would hold this process while they are copied. */
    earlier: (text: string): void => ask({ kind: 'earlier', text }),
    /** Opens the chat whose pieces were given. */
    async reopen(chat: Opened & { files: ListedFile[] }): Promise<Opened> {
      ask({ kind: 'reopen', chat })
      return (await next('opened')).chat
    },
    /**
     * Whether it is an export of the same chat as the one whose pieces were given, or that has the same text, and has
     * more. It has both from then on.
     */
    async join(isSame: boolean, files: ListedFile[]): Promise<'other' | 'known' | 'longer'> {
      ask({ kind: 'join', isSame, files })
      return (await next('joined')).as
    },
    /** Throws 400 for a text that is no chat. */
    async read(): Promise<Found> {
      ask({ kind: 'read' })
      return (await next('read')).chat
    },
    /** The pieces to be stored, once it is read. */
    async *parts(): AsyncGenerator<Part> {
      for (;;) {
        ask({ kind: 'next' })
        const message = await next('part', 'done')
        if (message.kind === 'done') return
        yield message.part
      }
    },
    close: () => worker.terminate(),
  }
}
export type Reading = ReturnType<typeof openReading>

function unreadable(reason: Unreadable, line: number) {
  switch (reason) {
    case 'chat_unknown':
    case 'messages_many':
    case 'message_long':
      return invalidField('text', reason, { line })
    default:
      return invalidField('text', reason)
  }
}
