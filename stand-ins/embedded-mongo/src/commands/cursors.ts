import { Long } from 'bson'
import { CommandError } from '../store/errors.ts'
import { encodeReply, sizeOf } from '../store/values.ts'

/** Bytes of a batch, unless it is one larger document. MongoDB allows 16 MB; smaller ones let other commands in. */
const MAX_BATCH_BYTES = 1024 * 1024
/** MongoDB closes a cursor after 10 minutes without a request. */
const IDLE_MS = 10 * 60_000

export function createCursors(now: () => number = Date.now) {
  const open = new Map<number, { namespace: string; docs: Uint8Array[]; usedAt: number }>()
  let lastId = now()

  /** Encodes the next batch, and keeps the cursor while there are more. */
  function batchOf(id: number, namespace: string, docs: Uint8Array[], field: string, size: number) {
    for (const [other, { usedAt }] of open) if (now() - usedAt > IDLE_MS) open.delete(other)
    let [room, end] = [MAX_BATCH_BYTES, 0]
    while (end < Math.min(size, docs.length) && (end === 0 || docs[end]!.length <= room)) {
      room -= docs[end]!.length
      end += 1
    }
    if (end < docs.length) open.set(id, { namespace, docs: docs.slice(end), usedAt: now() })
    else open.delete(id)
    return encodeCursor(field, docs.slice(0, end), end < docs.length ? id : 0, namespace)
  }

  return {
    /** Returns the encoded reply of find and aggregate. */
    open(namespace: string, docs: Uint8Array[], batchSize: number): Uint8Array {
      lastId += 1
      return batchOf(lastId, namespace, docs, 'firstBatch', batchSize)
    },
    more(id: number, batchSize: number): Uint8Array {
      const cursor = open.get(id)
      if (!cursor || now() - cursor.usedAt > IDLE_MS) throw new CommandError(43, `cursor id ${id} not found`)
      return batchOf(id, cursor.namespace, cursor.docs, 'nextBatch', batchSize)
    },
    kill: (id: number) => open.delete(id),
  }
}

/** The elements of `{ ok: 1 }` and the closing zero byte. */
const OK = encodeReply({ ok: 1 }).subarray(4)

/** Encodes `{ cursor: { [field]: docs, id, ns }, ok: 1 }` around documents that are already BSON. */
export function encodeCursor(field: string, docs: Uint8Array[], id: number, ns: string): Uint8Array {
  const batch = [...docs.flatMap((doc, i) => [Buffer.from(`\x03${i}\0`), doc]), Buffer.alloc(1)]
  const rest = encodeReply({ id: Long.fromNumber(id), ns }).subarray(4)
  const cursor = [Buffer.from(`\x04${field}\0`), sizeOf(batch), ...batch, rest]
  const reply = [Buffer.from('\x03cursor\0'), sizeOf(cursor), ...cursor, OK]
  return Buffer.concat([sizeOf(reply), ...reply])
}
