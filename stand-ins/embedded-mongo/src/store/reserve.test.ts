import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize } from 'bson'
import { openEngine } from '../server/engine.ts'

const RESERVE = { bytes: 2_000_000, databases: ['x_auth'] }
const folder = mkdtempSync(join(tmpdir(), 'full-disk-'))
let engine: ReturnType<typeof openEngine>
function mount() {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'full-disk', folder], { stdio: 'ignore' })
    return true
  } catch {
    // Only root may mount.
    return false
  }
}
const isMounted = mount()
const onDisk = isMounted ? test : test.skip

beforeAll(() => {
  engine = openEngine(folder, RESERVE)
})
afterAll(async () => {
  await engine.close()
  if (isMounted) execFileSync('umount', ['--lazy', folder])
  rmSync(folder, { recursive: true, force: true })
})

const filler = join(folder, 'filler')
/** Leaves no byte free. */
function fillDisk() {
  const file = openSync(filler, 'a')
  for (let bytes = 1 << 20; bytes >= 1; )
    try {
      writeSync(file, Buffer.alloc(bytes))
    } catch {
      bytes = Math.floor(bytes / 2)
    }
  closeSync(file)
}

const run = async (body: object) => deserialize(await engine.run(body as never))
let made = 0
const insert = ($db: string) =>
  run({ insert: 'c', documents: [{ n: made++, filling: 'x'.repeat(20_000) }], $db })
const count = async ($db: string) =>
  (await run({ find: 'c', filter: {}, batchSize: 1_000, $db })).cursor.firstBatch.length
async function untilRefused($db: string) {
  for (let written = 0; ; written++) {
    const reply = await insert($db)
    if (!reply.ok) return { written, code: reply.code }
  }
}

onDisk(
  'when the disk is full, then reading works, sessions are written, and all else is refused',
  async () => {
    expect((await insert('x_notes')).ok).toBe(1)
    expect((await insert('x_auth')).ok).toBe(1)
    fillDisk()
    const { written, code } = await untilRefused('x_notes')
    expect(code).toBe(14031)
    expect(await count('x_notes')).toBe(1 + written)
    for (let session = 0; session < 20; session++) expect((await insert('x_auth')).ok).toBe(1)
    expect(await insert('x_notes')).toMatchObject({ ok: 0, code: 14031 })
    expect(await run({ delete: 'c', deletes: [{ q: { n: 0 }, limit: 1 }], $db: 'x_notes' })).toMatchObject({
      n: 1,
    })
    expect([await count('x_notes'), await count('x_auth')]).toEqual([written, 21])
  },
)

onDisk(
  'when the reserve is used up too, then sessions are refused as well, and nothing else happens',
  async () => {
    fillDisk()
    const before = await count('x_auth')
    const { written, code } = await untilRefused('x_auth')
    expect([await count('x_auth'), code]).toEqual([before + written, 14031])
  },
)

onDisk('when there is room again, then everything is written, and the reserve is kept', async () => {
  rmSync(filler)
  expect(await insert('x_notes')).toMatchObject({ ok: 0, code: 14031 })
  engine.refillReserve()
  expect(existsSync(join(folder, 'reserve'))).toBe(true)
  expect((await insert('x_notes')).ok).toBe(1)
})
