import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { invalid, invalidField, refusal } from '@voxscribe/service'
import type { ListedFile, Part } from './parts.ts'
import type { Found, Opened, Reader, Why } from './worker.ts'

/** The longest chat takes a few seconds. */
const LIMIT_MS = 120_000

/** Reads one chat's export in a thread of its own, so that other calls go on. One call at a time. */
export function openReading() {
  const worker = new Worker(new URL('worker.ts', import.meta.url))
  // The call that waits throws it.
  worker.on('error', () => {})
  const signal = AbortSignal.timeout(LIMIT_MS)

  /** Calls a function of the thread. Bytes in `moved` are not copied. Throws what it refuses, or why it ended. */
  async function call<Name extends keyof Reader>(
    name: Name,
    given: Parameters<Reader[Name]>,
    moved: ArrayBuffer[] = [],
  ): Promise<ReturnType<Reader[Name]>> {
    const answered = once(worker, 'message', { signal })
    worker.postMessage({ name, given }, moved)
    const [{ value, why }] = await answered
    if (why) throw refusalFor(why)
    return value
  }

  return {
    /** Checks the body of a call. Throws 400, or 413 for a text that is too long. */
    open: (body: Uint8Array<ArrayBuffer>): Promise<Opened> =>
      // The bytes of a large body are moved; a small one shares its memory with others.
      call('open', [body], body.byteLength === body.buffer.byteLength ? [body.buffer] : []),
    /** Takes a piece of a text that is stored: whole texts would hold this process while they are copied. */
    earlier: (text: string): Promise<void> => call('earlier', [text]),
    /** Opens the chat whose pieces were given. */
    reopen: (chat: Opened & { files: ListedFile[] }): Promise<Opened> => call('reopen', [chat]),
    /**
     * Whether it is an export of the same chat as the one whose pieces were given, or that has the same text, and has
     * more. It has both from then on.
     */
    join: (isSame: boolean, files: ListedFile[]) => call('join', [isSame, files]),
    /** Throws 400 for a text that is no chat. */
    read: (): Promise<Found> => call('read', []),
    /** The pieces to be stored, once it is read. */
    async *parts(): AsyncGenerator<Part> {
      for (let part = await call('next', []); part; part = await call('next', [])) yield part
    },
    close: () => worker.terminate(),
  }
}
export type Reading = ReturnType<typeof openReading>

function refusalFor(why: Why) {
  switch (why.code) {
    case 'invalid':
      return invalid(why.errors)
    case 'too_large':
      return refusal('too_large')
    case 'not_json':
      return invalidField('', 'not_json')
    case 'chat_unknown':
    case 'messages_many':
    case 'message_long':
      return invalidField('text', why.code, { line: why.line })
    default:
      return invalidField('text', why.code)
  }
}
