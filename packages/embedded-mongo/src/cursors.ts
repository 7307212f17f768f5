import { calculateObjectSize, Long } from 'bson'
import { CommandError } from './errors.ts'
import type { Doc } from './values.ts'

/** Bytes in one batch; a single document may be as large. */
const maxBatchBytes = 16 * 1024 * 1024
/** What a document's place in the batch's array takes: its type and its index as text. */
const elementBytes = 12
export const firstBatchSize = 101
/** MongoDB ends a cursor that nobody asked for 10 minutes. */
const idleMs = 10 * 60_000

type Cursor = { namespace: string; docs: Iterator<Doc>; pending: Doc | undefined; usedAt: number }

export type Cursors = {
  /** The reply of find and aggregate; keeps the rest for getMore unless `single`. */
  open: (namespace: string, docs: Iterable<Doc>, batchSize: number, single: boolean) => Doc
  more: (id: Long, namespace: string, batchSize: number) => Doc
  /** Tells which of the cursors were there. */
  kill: (ids: Long[]) => { killed: Long[]; missing: Long[] }
  /** Ends those that nobody asked for a long time. */
  expire: (now: number) => void
}

export const createCursors = (): Cursors => {
  const open = new Map<string, Cursor>()
  let lastId = Date.now()

  const reply = (id: Long, cursor: Cursor, batch: 'firstBatch' | 'nextBatch', docs: Doc[]): Doc => ({
    cursor: { [batch]: docs, id, ns: cursor.namespace },
    ok: 1,
  })

  return {
    open: (namespace, docs, batchSize, single) => {
      const cursor = { namespace, docs: docs[Symbol.iterator](), pending: undefined, usedAt: Date.now() }
      const { batch, finished } = take(cursor, batchSize)
      if (finished || single) return reply(Long.ZERO, cursor, 'firstBatch', batch)
      lastId += 1
      const id = Long.fromNumber(lastId)
      open.set(id.toString(), cursor)
      return reply(id, cursor, 'firstBatch', batch)
    },
    more: (id, namespace, batchSize) => {
      const cursor = open.get(id.toString())
      if (!cursor) throw new CommandError(43, `cursor id ${id.toString()} not found`)
      if (cursor.namespace !== namespace)
        throw new CommandError(
          13,
          `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
        )
      cursor.usedAt = Date.now()
      const { batch, finished } = take(cursor, batchSize)
      if (finished) open.delete(id.toString())
      return reply(finished ? Long.ZERO : id, cursor, 'nextBatch', batch)
    },
    kill: ids => {
      const killed = ids.filter(id => open.delete(id.toString()))
      return { killed, missing: ids.filter(id => !killed.includes(id)) }
    },
    expire: now => {
      for (const [id, cursor] of open) if (now - cursor.usedAt > idleMs) open.delete(id)
    },
  }
}

/** Up to `size` documents and 16 MB; looks one ahead, so a cursor that is used up ends with its last batch. */
const take = (cursor: Cursor, size: number): { batch: Doc[]; finished: boolean } => {
  const batch: Doc[] = []
  let bytes = 0
  for (;;) {
    const doc = cursor.pending ?? nextOf(cursor)
    cursor.pending = undefined
    if (doc === undefined) return { batch, finished: true }
    const length = calculateObjectSize(doc, { ignoreUndefined: false }) + elementBytes
    if (batch.length >= size || (batch.length > 0 && bytes + length > maxBatchBytes)) {
      cursor.pending = doc
      return { batch, finished: false }
    }
    batch.push(doc)
    bytes += length
  }
}

const nextOf = ({ docs }: Cursor): Doc | undefined => {
  const next = docs.next()
  return next.done ? undefined : next.value
}
