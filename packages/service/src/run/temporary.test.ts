import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deleteLeftovers, temporaryFolder, temporaryPlace } from './temporary.ts'

/** Runs a program that creates a folder with a file in it, and prints the folder's path. */
function startProgram(ending: string, folder?: string) {
  const program = `
    import { mkdirSync, writeFileSync } from 'node:fs'
    import { keepTemporaryFilesIn, temporaryPlace } from ${JSON.stringify(join(import.meta.dirname, 'temporary.ts'))}
    ${folder ? `keepTemporaryFilesIn(${JSON.stringify(folder)})` : ''}
    const { path } = temporaryPlace('temporary-test-')
    mkdirSync(path)
    writeFileSync(path + '/samples.raw', 'sound')
    const tell = () => process.stdout.write(path)
    ${ending}`
  const child = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module-typescript',
    '--eval',
    program,
  ])
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

test('when a process was killed, then its files go at once; those of a living one stay, however old', async () => {
  const [killed, living] = ['', ''].map(() => startProgram('tell(); setInterval(() => {}, 60_000)'))
  const own = temporaryPlace('own-')
  const ofAnother = await mkdtemp(join(tmpdir(), 'voxscribe-another-'))
  try {
    await mkdir(own.path)
    const [left, inUse] = (await Promise.all([killed!.told, living!.told])) as [string, string]
    const longAgo = new Date(0)
    for (const path of [inUse, dirname(inUse), own.path, temporaryFolder(), ofAnother])
      await utimes(path, longAgo, longAgo)
    await deleteLeftovers()
    expect(existsSync(left)).toBe(true)
    killed!.child.kill('SIGKILL')
    await killed!.ended
    await deleteLeftovers()
    expect([dirname(left), inUse, own.path, ofAnother].map(path => existsSync(path))).toEqual([
      ...[false, true],
      ...[true, true],
    ])
  } finally {
    living!.child.kill()
    await living!.ended
    await own.remove()
    await deleteLeftovers()
    await rm(ofAnother, { recursive: true })
  }
})

test('when a cleaner of the machine has deleted our folder, then the next file has another', async () => {
  await rm(temporaryFolder(), { recursive: true })
  const { path, remove } = temporaryPlace('next-')
  await mkdir(path)
  await remove()
})

test('when a process keeps its files elsewhere, then they are there, for its user alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'elsewhere-'))
  const { told, child, ended } = startProgram(
    'tell(); setInterval(() => {}, 60_000)',
    join(folder, 'data/tmp'),
  )
  const path = await told
  expect(dirname(dirname(path))).toBe(join(folder, 'data/tmp'))
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
  child.kill()
  await ended
  await rm(folder, { recursive: true })
})
