import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voxscribe-backup-'))
  await mkdir(join(folder, 'data/media'), { recursive: true })
  await mkdir(join(folder, 'data/tmp'))
  await writeFile(join(folder, 'data/media/a.ogg'), 'sound')
  await writeFile(join(folder, 'data/tmp/half'), 'half')
})
afterEach(() => rm(folder, { recursive: true }))

const run = (command: string, to: string, data: string, url = 'http://127.0.0.1:1') =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'backup.ts'), command, join(folder, to)], {
    env: { ...process.env, DATA_DIR: join(folder, data), MANAGEMENT_URL: url },
  })

test('when a folder is backed up and restored, then its files are there, without temporary ones', async () => {
  expect((await run('backup', 'copy', 'data')).stdout).toMatch(/^1 files, 1 MB/)
  await run('restore', 'copy', 'other')
  expect(await readFile(join(folder, 'other/media/a.ogg'), 'utf8')).toBe('sound')
})

test.each([
  ['the place of the copy is taken', 'backup', 'copy', 'data', 'already: nothing was copied'],
  ['there are data already', 'restore', 'copy', 'data', 'already: nothing was copied'],
  ['there is nothing to copy', 'backup', 'new', 'none', 'There is nothing in'],
])('when %s, then it refuses', async (_what, command, to, data, why) => {
  await mkdir(join(folder, 'copy'))
  await writeFile(join(folder, 'copy/a'), 'a')
  await expect(run(command, to, data)).rejects.toThrow(why)
})

test('when Voxscribe runs, then it refuses', async () => {
  const server = createServer((_request, response) => response.end('ok')).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(run('backup', 'copy', 'data', url)).rejects.toThrow('Stop it first')
  server.close()
})
