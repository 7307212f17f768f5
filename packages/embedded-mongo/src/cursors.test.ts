import type { Long } from 'bson'
import { createCursors } from './cursors.ts'
import type { Doc } from './values.ts'
import { maxMessageBytes, writeReply } from './wire.ts'

function* documents(count: number, text: string): Generator<Doc> {
  for (let n = 0; n < count; n++) yield { n, text }
}

const request = { requestId: 1, opCode: 2013 } as const

/** Reads to the end in batches as large as they come; answers how many documents each batch had. */
const batches = (docs: Iterable<Doc>): number[] => {
  const cursors = createCursors()
  const sizes: number[] = []
  let reply = cursors.open('d.c', docs, Number.POSITIVE_INFINITY, false).cursor as Doc
  for (;;) {
    expect(writeReply(request, { cursor: reply, ok: 1 }).length).toBeLessThan(maxMessageBytes)
    sizes.push(((reply.firstBatch ?? reply.nextBatch) as Doc[]).length)
    if (String(reply.id) === '0') return sizes
    reply = cursors.more(reply.id as Long, 'd.c', Number.POSITIVE_INFINITY).cursor as Doc
  }
}

test('when very many small documents are read at once, then every batch fits in a message', () => {
  const sizes = batches(documents(270_000, 'x'.repeat(40)))
  expect(sizes.reduce((a, b) => a + b)).toBe(270_000)
  expect(sizes.length).toBeGreaterThan(1)
})

test('when documents are large, then a batch holds one, two, but never more than fit', () => {
  expect(batches(documents(5, 'x'.repeat(7 * 1024 * 1024)))).toEqual([2, 2, 1])
  expect(batches(documents(2, 'x'.repeat(15 * 1024 * 1024)))).toEqual([1, 1])
})

test('when a cursor was not asked for a long time, then it is gone', () => {
  const cursors = createCursors()
  const { id } = cursors.open('d.c', documents(5, ''), 2, false).cursor as { id: Long }
  cursors.expire(Date.now() + 9 * 60_000)
  expect(cursors.more(id, 'd.c', 2)).toMatchObject({ cursor: { nextBatch: [{ n: 2 }, { n: 3 }] } })
  cursors.expire(Date.now() + 11 * 60_000)
  expect(() => cursors.more(id, 'd.c', 2)).toThrow('not found')
})
