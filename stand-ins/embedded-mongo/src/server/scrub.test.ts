import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from '../store/values.ts'
import { openEngine } from './engine.ts'

let folder: string
let engine: ReturnType<typeof openEngine>
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scrub-'))
  engine = openEngine(folder)
})
afterEach(async () => {
  await engine.close()
  await rm(folder, { recursive: true })
})

const run = (command: object) => engine.run({ ...command, $db: 'd' } as never)

/** Counts a word in the bytes of all files. */
async function occurrences(word: string): Promise<number> {
  const files = await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name), 'latin1')))
  return files.join('').split(word).length - 1
}

/** Writes growing documents of two people alternately, with an index of their words, then deletes one person's. */
async function writeAndDelete() {
  await run({ createIndexes: 'notes', indexes: [{ key: { words: 1 }, name: 'words' }] })
  for (let n = 0; n < 150; n++) {
    const who = n % 3 ? 'otherwise' : 'xylophone'
    const words = Array.from({ length: 20 }, (_, word) => `${who}${n}w${word}`)
    await run({ insert: 'notes', documents: [{ _id: `n${n}`, who, words, text: `${who} `.repeat(100) }] })
    const u = { $set: { text: `${who} `.repeat(1_000) } }
    await run({ update: 'notes', updates: [{ q: { _id: `n${n}` }, u }] })
  }
  await run({ delete: 'notes', deletes: [{ q: { who: 'xylophone' }, limit: 0 }] })
}

test('when deleted documents are scrubbed, then their bytes are in no file, and the others are as before', async () => {
  await writeAndDelete()
  const remains = await occurrences('xylophone')
  expect(remains).toBeGreaterThan(1_000)
  engine.scrub(0)
  await run({ scrub: 1 })
  engine.scrub(60_000)
  expect(await occurrences('xylophone')).toBe(remains)
  engine.scrub(0)
  expect(await occurrences('xylophone')).toBe(0)
  const rest = decode(
    await run({ aggregate: 'notes', pipeline: [{ $group: { _id: 1, n: { $sum: 1 } } }], cursor: {} }),
  )
  expect(rest).toMatchObject({ cursor: { firstBatch: [{ n: 100 }] } })
})

test('when it was done not long ago, then the next one waits', async () => {
  await writeAndDelete()
  for (const everyMs of [0, 3_600_000]) {
    await run({ insert: 'notes', documents: [{ _id: `later${everyMs}`, who: 'xylophone' }] })
    await run({ delete: 'notes', deletes: [{ q: { who: 'xylophone' }, limit: 0 }] })
    await run({ scrub: 1 })
    engine.scrub(0, everyMs)
  }
  expect(await occurrences('xylophone')).toBeGreaterThan(0)
  engine.scrub(0)
  expect(await occurrences('xylophone')).toBe(0)
})
