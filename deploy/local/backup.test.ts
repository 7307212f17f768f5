import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { UNFINISHED } from './unfinished.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voxscribe-backup-'))
  await mkdir(join(folder, 'data/media'), { recursive: true })
  await mkdir(join(folder, 'data/tmp'))
  await writeFile(join(folder, 'data/media/a.ogg'), 'sound')
  await writeFile(join(folder, 'data/tmp/half'), 'half')
})
afterEach(() => rm(folder, { recursive: true }))

const run = (command: string, to: string, data: string) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'backup.ts'), command, join(folder, to)], {
    env: { ...process.env, DATA_DIR: join(folder, data) },
  })

test('when a folder is backed up and restored, then its files are there, without temporary ones', async () => {
  expect((await run('backup', 'copy', 'data')).stdout).toMatch(/^1 files, 1 MB/)
  await run('restore', 'copy', 'other')
  expect(await readFile(join(folder, 'other/media/a.ogg'), 'utf8')).toBe('sound')
})

test('when DATA_DIR is empty, then it is the folder that a start uses', async () => {
  await rename(join(folder, 'data'), join(folder, '.data'))
  await mkdir(join(folder, 'mongo'))
  const args = [join(import.meta.dirname, 'backup.ts'), 'backup', 'copy']
  const env = { ...process.env, DATA_DIR: '' }
  await promisify(execFile)(process.execPath, args, { cwd: folder, env })
  expect(await readdir(join(folder, 'copy'))).toEqual(['media'])
})

test.each([
  ['the place of the copy is taken', 'backup', 'copy', 'data', 'already: nothing was copied'],
  ['there are data already', 'restore', 'copy', 'data', 'already: nothing was copied'],
  ['the copy would be inside', 'backup', 'data/copy', 'data', 'is inside'],
  [
    'the place of the copy is a file',
    'backup',
    'copy/a',
    'data',
    /^Command failed.*\nNothing was copied: EEXIST/,
  ],
  ['there is nothing to copy', 'backup', 'new', 'none', 'There is nothing in'],
])('when %s, then it refuses', async (_what, command, to, data, why) => {
  await mkdir(join(folder, 'copy'))
  await writeFile(join(folder, 'copy/a'), 'a')
  await expect(run(command, to, data)).rejects.toThrow(why)
})

test('when a copy fails in the middle, then nothing of it stays', async () => {
  // Node copies no FIFOs.
  await promisify(execFile)('mkfifo', [join(folder, 'data/media/pipe')])
  await expect(run('backup', 'copy', 'data')).rejects.toThrow(/\nNothing was copied: .*FIFO/)
  expect(await readdir(join(folder, 'copy'))).toEqual([])
})

test('when a copy was killed, then nothing accepts the incomplete folder, and the next copy replaces it', async () => {
  const half = async (name: string) => {
    await mkdir(join(folder, name, 'blobs'), { recursive: true })
    await writeFile(join(folder, name, 'blobs/half.ogg'), 'so')
    await writeFile(join(folder, name, UNFINISHED), '')
  }
  await half('copy')
  await half('other')
  await expect(run('restore', 'copy', 'third')).rejects.toThrow(/copy is incomplete/)
  await run('backup', 'copy', 'data')
  const env = { ...process.env, DATA_DIR: join(folder, 'other') }
  const start = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'main.ts')], { env })
  await expect(start).rejects.toThrow('interrupted. Run `npm run restore -- <folder>` again.')
  expect((await run('restore', 'copy', 'other')).stdout).toMatch(/^1 files, 1 MB/)
  expect(await readdir(join(folder, 'other'))).toEqual(['media'])
})

test('when Voxscribe runs, then it refuses, and not once it has been stopped', async () => {
  const mongo = await startEmbeddedMongo({ path: join(folder, 'data/mongo'), socket: true })
  await expect(run('backup', 'copy', 'data')).rejects.toThrow('Stop it first')
  await mongo.stop()
  expect((await run('backup', 'copy', 'data')).stdout).toMatch(/files/)
})

test('when a process was killed and left its socket, then the files around it are copied', async () => {
  await mkdir(join(folder, 'data/mongo'))
  const left = createServer().listen(join(folder, 'data/mongo/mongo.sock'))
  await once(left, 'listening')
  await run('backup', 'copy', 'data')
  left.close()
  expect(await readdir(join(folder, 'copy/mongo'))).not.toContain('mongo.sock')
})
