import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openReadOnly } from '../store/storage.ts'
import { openEngine } from './engine.ts'

const FILE = 'embedded-mongo.sqlite'

let folder: string
let copy: string
let engine: ReturnType<typeof openEngine>
let written = 0
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'log-data-'))
  copy = await mkdtemp(join(tmpdir(), 'log-copy-'))
  engine = openEngine(folder)
})
afterEach(async () => {
  await engine.close()
  for (const path of [folder, copy]) await rm(path, { recursive: true })
})

/** Inserts 100 documents of 10 KB. */
async function write() {
  const documents = Array.from({ length: 100 }, () => ({ n: written++, filling: 'x'.repeat(10_000) }))
  await engine.run({ insert: 'c', documents, $db: 'd' })
}
const logBytes = async () => (await stat(join(folder, `${FILE}-wal`))).size

/** Counts the documents that are there without the log. */
async function inData() {
  await copyFile(join(folder, FILE), join(copy, FILE))
  const data = openReadOnly(copy)
  const tables = data.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'docs_%'")
  const counts = tables.map(({ name }) => Number(data.get(`SELECT count(*) AS n FROM ${name}`)!.n))
  data.close()
  return counts.reduce((sum, count) => sum + count, 0)
}

test('when the log is emptied, then the data has all of it, and the log stays small', async () => {
  await write()
  expect(await inData()).toBe(0)
  const bytes = await logBytes()
  for (const count of [100, 200, 300, 400]) {
    await engine.emptyLog()
    expect(await inData()).toBe(count)
    await write()
  }
  expect(await logBytes()).toBeLessThan(1.5 * bytes)
})

test('when the log is emptied during a read, then the read is unaffected, and the rest follows', async () => {
  await write()
  await engine.emptyLog()
  const reader = openReadOnly(folder)
  const count = () => reader.get('SELECT count(*) AS n FROM collections')!.n
  reader.exec('BEGIN')
  expect(count()).toBe(1)
  await engine.run({ insert: 'another', documents: [{ n: 1 }], $db: 'd' })
  await write()
  await engine.emptyLog()
  expect([count(), await inData()]).toEqual([1, 100])
  reader.exec('COMMIT')
  expect(count()).toBe(2)
  await engine.emptyLog()
  expect(await inData()).toBe(201)
  reader.close()
})
