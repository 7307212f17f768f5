import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deleteLeftovers } from './temporary.ts'

const HOUR_MS = 3_600_000

test('when something was left an hour ago, then it goes; what is younger, or of others, stays', async () => {
  const prefix = `leftovers-${process.pid}-`
  const [left, inUse, ofOthers] = await Promise.all(
    [prefix, prefix, `other-${prefix}`].map(name => mkdtemp(join(tmpdir(), name))),
  )
  const file = join(tmpdir(), `${prefix}file`)
  try {
    await writeFile(join(left!, 'samples.raw'), 'sound')
    await writeFile(file, 'sound')
    const longAgo = new Date(Date.now() - HOUR_MS - 1_000)
    for (const path of [left!, ofOthers!, file]) await utimes(path, longAgo, longAgo)
    await deleteLeftovers(prefix, HOUR_MS)
    expect([left, inUse, ofOthers, file].map(path => existsSync(path!))).toEqual([false, true, true, false])
  } finally {
    for (const path of [left, inUse, ofOthers, file]) await rm(path!, { recursive: true, force: true })
  }
})

test.each([
  ['in haste', 'process.exit(0)'],
  ['by an error', "setTimeout(() => { throw new Error('broken') })"],
  ['by itself', ''],
])('when a process ends %s, then its temporary folders go with it', async (_how, ending) => {
  const program = `
    import { mkdirSync, writeFileSync } from 'node:fs'
    import { temporaryPlace } from ${JSON.stringify(join(import.meta.dirname, 'temporary.ts'))}
    const { path } = temporaryPlace('temporary-test-')
    mkdirSync(path)
    writeFileSync(path + '/samples.raw', 'sound')
    process.stdout.write(path)
    ${ending}`
  const ended = promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', program])
  const { stdout: path } = await ended.catch((error: { stdout: string }) => error)
  expect(path).toContain('temporary-test-')
  expect(existsSync(path)).toBe(false)
})
