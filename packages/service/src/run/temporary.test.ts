import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { deleteLeftovers, temporaryPlace } from './temporary.ts'

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

/** Runs a program that makes a folder at `path`, with something in it. */
function startProgram(ending: string, prefix = 'temporary-test-') {
  const program = `
    import { mkdirSync, writeFileSync } from 'node:fs'
    import { temporaryPlace } from ${JSON.stringify(join(import.meta.dirname, 'temporary.ts'))}
    const { path } = temporaryPlace(${JSON.stringify(prefix)})
    mkdirSync(path)
    writeFileSync(path + '/samples.raw', 'sound')
    const tell = () => process.stdout.write(path)
    ${ending}`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program])
  const told = once(child.stdout, 'data').then(([data]) => String(data))
  return { child, told, ended: once(child, 'exit') }
}

test.each([
  ['in haste', 'tell(); process.exit(0)'],
  ['by an error', "tell(); setTimeout(() => { throw new Error('broken') })"],
  ['by itself', 'tell()'],
])('when a process ends %s, then its temporary folders go with it', async (_how, ending) => {
  const { told, ended } = startProgram(ending)
  const path = await told
  await ended
  expect(path).toContain('temporary-test-')
  expect(existsSync(path)).toBe(false)
})

test('when a starting service is stopped, then it ends at once with its temporary folders', async () => {
  const { child, told, ended } = startProgram(`
    const service = await import(${JSON.stringify(join(import.meta.dirname, '../index.ts'))})
    const { defineStateless, httpSettings, runAsProcess } = service
    const build = () => { tell(); setInterval(() => {}, 60_000); return new Promise(() => {}) }
    await runAsProcess(defineStateless({ name: 'gateway', settings: httpSettings, build }), {})`)
  const path = await told
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(existsSync(path)).toBe(false)
})

test('when a process was killed, then its files go at once; those of a living one stay', async () => {
  const prefix = `killed-${process.pid}-`
  const [killed, living] = ['', ''].map(() => startProgram('tell(); setInterval(() => {}, 60_000)', prefix))
  const own = temporaryPlace(prefix)
  const elsewhere = join(tmpdir(), `${prefix}x.${killed!.child.pid}@another-machine`)
  const before = join(tmpdir(), `${prefix}x.${process.pid}@${hostname()}`)
  try {
    for (const path of [own.path, elsewhere, before]) await mkdir(path)
    const paths = await Promise.all([killed!.told, living!.told])
    killed!.child.kill('SIGKILL')
    await killed!.ended
    await deleteLeftovers(prefix, HOUR_MS)
    expect([...paths, own.path, elsewhere, before].map(path => existsSync(path))).toEqual([
      ...[false, true],
      ...[true, true, false],
    ])
  } finally {
    living!.child.kill()
    await living!.ended
    await own.remove()
    await deleteLeftovers(prefix, -HOUR_MS)
  }
})
