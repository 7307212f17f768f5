import { CommandError } from './errors.ts'
import { encodeCursor } from './wire.ts'

/**
 * Bytes in one batch, as far as a single document isn't larger. MongoDB gives 16 MB; smaller ones let others have
 * their turn in between.
 */
const MAX_BATCH_BYTES = 1024 * 1024
export const FIRST_BATCH_SIZE = 101
/** MongoDB ends a cursor that nobody asked for 10 minutes. */
const IDLE_MS = 10 * 60_000

interface Cursor {
  namespace: string
  docs: Iterator<Uint8Array>
  pending: Uint8Array | undefined
  usedAt: number
}

export interface Cursors {
  /** The encoded reply of find and aggregate; keeps the rest for getMore unless `isSingle`. */
  open(namespace: string, docs: Iterable<Uint8Array>, batchSize: number, isSingle: boolean): Uint8Array
  more(id: number, batchSize: number): Uint8Array
  /** Tells which of the cursors were there. */
  kill(ids: number[]): { killed: number[]; missing: number[] }
}

export function createCursors(now: () => number = Date.now): Cursors {
  const open = new Map<number, Cursor>()
  let lastId = now()
  function endIdle() {
    for (const [id, cursor] of open) if (now() - cursor.usedAt > IDLE_MS) open.delete(id)
  }
  return {
    open: (namespace, docs, batchSize, isSingle) => {
      endIdle()
      const cursor = { namespace, docs: docs[Symbol.iterator](), pending: undefined, usedAt: now() }
      const { batch, isFinished } = take(cursor, batchSize)
      if (isFinished || isSingle) return encodeCursor('firstBatch', batch, 0, namespace)
      lastId += 1
      open.set(lastId, cursor)
      return encodeCursor('firstBatch', batch, lastId, namespace)
    },
    more: (id, batchSize) => {
      endIdle()
      const cursor = open.get(id)
      if (!cursor) throw new CommandError(43, `cursor id ${id} not found`)
      cursor.usedAt = now()
      const { batch, isFinished } = take(cursor, batchSize)
      if (isFinished) open.delete(id)
      return encodeCursor('nextBatch', batch, isFinished ? 0 : id, cursor.namespace)
    },
    kill: ids => {
      const killed = ids.filter(id => open.delete(id))
      return { killed, missing: ids.filter(id => !killed.includes(id)) }
    },
  }
}

/** Looks one document ahead, so a cursor that is used up ends with its last batch. */
function take(cursor: Cursor, size: number): { batch: Uint8Array[]; isFinished: boolean } {
  const batch: Uint8Array[] = []
  let bytes = 0
  for (;;) {
    const doc: Uint8Array | undefined = cursor.pending ?? cursor.docs.next().value
    cursor.pending = undefined
    if (doc === undefined) return { batch, isFinished: true }
    if (batch.length >= size || (batch.length > 0 && bytes + doc.length > MAX_BATCH_BYTES)) {
      cursor.pending = doc
      return { batch, isFinished: false }
    }
    batch.push(doc)
    bytes += doc.length
  }
}
