import { CommandError } from './errors.ts'
import { encodeCursor } from './wire.ts'

/**
 * Bytes in one batch, as far as a single document isn't larger. MongoDB gives 16 MB; smaller ones let others have
 * their turn in between.
 */
const MAX_BATCH_BYTES = 1024 * 1024
/** MongoDB ends a cursor that nobody asked for 10 minutes. */
const IDLE_MS = 10 * 60_000

interface Cursor {
  namespace: string
  docs: Iterator<Uint8Array>
  /** Is looked at before it is sent, so a cursor that is used up ends with its last batch. */
  next: Uint8Array | undefined
  usedAt: number
}

export function createCursors(now: () => number = Date.now) {
  const open = new Map<number, Cursor>()
  let lastId = now()

  /** The encoded reply with the next documents; the cursor stays when there are more. */
  function batchOf(id: number, cursor: Cursor, field: string, size: number): Uint8Array {
    for (const [other, { usedAt }] of open) if (now() - usedAt > IDLE_MS) open.delete(other)
    const batch: Uint8Array[] = []
    let room = MAX_BATCH_BYTES
    while (cursor.next && batch.length < size && (batch.length === 0 || cursor.next.length <= room)) {
      batch.push(cursor.next)
      room -= cursor.next.length
      cursor.next = cursor.docs.next().value
    }
    if (cursor.next) open.set(id, { ...cursor, usedAt: now() })
    else open.delete(id)
    return encodeCursor(field, batch, cursor.next ? id : 0, cursor.namespace)
  }

  return {
    /** The encoded reply of find and aggregate. */
    open(namespace: string, documents: Iterable<Uint8Array>, batchSize: number): Uint8Array {
      const docs = documents[Symbol.iterator]()
      lastId += 1
      return batchOf(lastId, { namespace, docs, next: docs.next().value, usedAt: 0 }, 'firstBatch', batchSize)
    },
    more(id: number, batchSize: number): Uint8Array {
      const cursor = open.get(id)
      if (!cursor || now() - cursor.usedAt > IDLE_MS) throw new CommandError(43, `cursor id ${id} not found`)
      return batchOf(id, cursor, 'nextBatch', batchSize)
    },
    kill(ids: number[]): void {
      for (const id of ids) open.delete(id)
    },
  }
}
