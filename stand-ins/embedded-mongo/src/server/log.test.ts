import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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

async function write() {
  const documents = Array.from({ length: 100 }, () => ({ n: written++, filling: 'x'.repeat(10_000) }))
  await engine.run({ insert: 'c', documents, $db: 'd' })
}
const logBytes = async () => (await stat(join(folder, `${FILE}-wal`))).size

/** Counts the documents in the data file without the log. */
async function inData() {
  await copyFile(join(folder, FILE), join(copy, FILE))
  const data = new DatabaseSync(join(copy, FILE), { readOnly: true })
  const named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'docs_%'"
  const tables = data.prepare(named).all()
  const counts = tables.map(({ name }) => Number(data.prepare(`SELECT count(*) AS n FROM ${name}`).get()!.n))
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
