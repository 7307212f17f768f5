import { existsSync } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteLeftovers } from './leftovers.ts'

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
