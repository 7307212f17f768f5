import { serialize } from 'bson'
import { type Doc, decode } from '../store/values.ts'
import { createCursors } from './cursors.ts'

const documents = (count: number, text: string) =>
  Array.from({ length: count }, (_, n) => serialize({ n, text }))

const cursorOf = (reply: Uint8Array) => decode(reply).cursor as Doc

/** Reads to the end in batches as large as possible. Returns the number of documents in each batch. */
function batches(docs: Uint8Array[]): number[] {
  const cursors = createCursors()
  const sizes: number[] = []
  let reply = cursors.open('d.c', docs, Number.POSITIVE_INFINITY)
  for (;;) {
    const { id, ...batch } = cursorOf(reply)
    if (!('firstBatch' in batch)) expect(batch).toHaveProperty('nextBatch')
    sizes.push(((batch.firstBatch ?? batch.nextBatch) as Doc[]).length)
    if (String(id) === '0') return sizes
    expect(reply.length).toBeLessThan(17 * 1024 * 1024)
    reply = cursors.more(id as number, Number.POSITIVE_INFINITY)
  }
}

test('when documents are very many or large, then they come in several batches', () => {
  const sizes = batches(documents(100_000, 'x'.repeat(40)))
  expect(sizes.reduce((a, b) => a + b)).toBe(100_000)
  expect(sizes.length).toBeGreaterThan(1)
  expect(batches(documents(3, 'x'.repeat(15 * 1024 * 1024)))).toEqual([1, 1, 1])
})

test('when a cursor was not asked for a long time, then it is gone', () => {
  let now = 0
  const cursors = createCursors(() => now)
  const { id } = cursorOf(cursors.open('d.c', documents(5, ''), 2))
  const more = () => cursorOf(cursors.more(id as number, 2))
  now += 9 * 60_000
  expect(more()).toMatchObject({ nextBatch: [{ n: 2 }, { n: 3 }] })
  now += 11 * 60_000
  expect(more).toThrow('not found')
})
