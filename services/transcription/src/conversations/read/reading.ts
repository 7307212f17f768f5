import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { invalid, invalidField, refusal } from '@voxscribe/service'
import type { ListedFile, Part } from './parts.ts'
import type { Found, Opened, Reader, Why } from './worker.ts'

/** The longest chat takes a few seconds. */
const LIMIT_MS = 120_000

/** Reads a chat's export in its own thread, so that other calls are not blocked. Takes one call at a time. */
export function openReading() {
  const worker = new Worker(new URL('worker.ts', import.meta.url))
  // The waiting call throws the error.
  worker.on('error', () => {})
  const signal = AbortSignal.timeout(LIMIT_MS)

  /** Calls a function of the thread; transfers `moved` without a copy. Throws its refusal, or why the thread ended. */
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
      // A large body is transferred; a small one shares its memory with others.
      call('open', [body], body.byteLength === body.buffer.byteLength ? [body.buffer] : []),
    /** Passes a piece of a stored text: copying a whole text would block this process. */
    earlier: (text: string): Promise<void> => call('earlier', [text]),
    /** Opens the chat whose pieces were given. */
    reopen: (chat: Opened & { files: ListedFile[] }): Promise<Opened> => call('reopen', [chat]),
    /**
     * Joins this export with the stored one (given in pieces; `isSame`: it has the same text). Returns `other` for
     * another chat, `known` if this adds nothing, else `longer`: the reading then has both.
     */
    join: (isSame: boolean, files: ListedFile[]) => call('join', [isSame, files]),
    /** Reads the chat. Throws 400 for a text that is not a chat. */
    read: (): Promise<Found> => call('read', []),
    /** Yields the pieces to store, after `read`. */
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
