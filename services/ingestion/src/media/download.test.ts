import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  type Answer,
  bytes,
  hang,
  redirect,
  startTestSandbox,
  type TestSandbox,
  undeclared,
} from '@voxscribe/sandbox/testing'
import { eventually } from '@voxscribe/service/testing'
import { openFiles } from '../testing/open-files.ts'
import { recording } from '../testing/recording.ts'
import { download, TokenRefused, UnexpectedStatus } from './file.ts'

const MEGABYTE = 1024 * 1024
let outside: TestSandbox
let other: TestSandbox
let folder: string
let path: string
beforeAll(async () => {
  outside = await startTestSandbox()
  other = await startTestSandbox()
  folder = await mkdtemp(join(tmpdir(), 'download-test-'))
})
beforeEach(() => {
  path = join(folder, `file-${Math.random()}`)
})
afterAll(async () => {
  await Promise.all([outside.stop(), other.stop()])
  await rm(folder, { recursive: true })
})

const on = (path: string, ...answers: Answer[]) => outside.script(`GET ${path}`, ...answers)
function fetchFile(name: string, more: { idleMs?: number; timeoutMs?: number; provider?: string } = {}) {
  const { idleMs = 10_000, timeoutMs = 20_000, provider = outside.origin } = more
  return download({
    url: `${outside.origin}${name}`,
    provider,
    path,
    headersFor: (to): Record<string, string> =>
      to.origin === outside.origin ? { authorization: 'ours' } : {},
    unauthorized: 'the key is wrong',
    limits: { maxBytes: 16 * MEGABYTE, idleMs, signal: AbortSignal.timeout(timeoutMs) },
  })
}

test('when a file comes, then its bytes are on the disk, counted and hashed', async () => {
  const file = recording()
  on('/a', bytes(file))
  const sha256 = createHash('sha256').update(file).digest('hex')
  expect(await fetchFile('/a')).toEqual({ bytes: file.length, sha256 })
  expect((await readFile(path)).equals(file)).toBe(true)
})

test('when a provider on the internet names an address of ours, then nothing is asked there', async () => {
  on('/inside', bytes(recording()))
  await expect(fetchFile('/inside', { provider: 'https://8.8.8.8' })).rejects.toMatchObject({
    code: 'ERR_IP_BLOCKED',
  })
})

test('when exactly 16 MB come, then they are taken', async () => {
  on('/16', undeclared(16 * MEGABYTE))
  expect((await fetchFile('/16')).bytes).toBe(16 * MEGABYTE)
})

test('when more than 16 MB are declared, then none of them is taken', async () => {
  on('/17', response => response.writeHead(200, { 'content-length': 17 * MEGABYTE }).flushHeaders())
  await expect(fetchFile('/17')).rejects.toMatchObject({
    reason: { code: 'too_large' },
    bytes: 17 * MEGABYTE,
  })
  await expect(stat(path)).rejects.toThrow('ENOENT')
})

test('when more than 16 MB come undeclared, then it is stopped by counting', async () => {
  on('/endless', undeclared(Number.MAX_SAFE_INTEGER))
  await expect(fetchFile('/endless')).rejects.toMatchObject({ reason: { code: 'too_large' } })
  expect((await stat(path)).size).toBeLessThanOrEqual(16 * MEGABYTE)
})

test('when half of a large file has come, then it is on the disk and not in memory', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let resume = () => {}
  on('/halves', async response => {
    const half = () => response.write(Buffer.alloc(8 * MEGABYTE))
    half()
    await new Promise<void>(resolve => {
      resume = resolve
    })
    half()
    response.end()
  })
  collect()
  const before = process.memoryUsage().arrayBuffers
  const downloaded = fetchFile('/halves')
  await eventually(async () => (await stat(path)).size === 8 * MEGABYTE)
  await eventually(() => {
    collect()
    return process.memoryUsage().arrayBuffers - before < 2 * MEGABYTE
  })
  resume()
  expect((await downloaded).bytes).toBe(16 * MEGABYTE)
})

test('when it is redirected to another host, then it is followed without our credentials', async () => {
  on('/moved', redirect('/moved/further', 307))
  on('/moved/further', redirect(`${other.origin}/store`, 302))
  other.script('GET /store', bytes(recording()))
  expect((await fetchFile('/moved')).bytes).toBe(recording().length)
  expect(outside.callsTo('/moved/further')[0]?.headers.authorization).toBe('ours')
  expect(other.callsTo('/store')[0]?.headers.authorization).toBeUndefined()
})

test('when redirects go in circles, then it ends', async () => {
  on('/circle', redirect('/circle'))
  await expect(fetchFile('/circle')).rejects.toBeInstanceOf(UnexpectedStatus)
  expect(outside.callsTo('/circle')).toHaveLength(6)
})

test.each([204, 404, 500])('when the answer is %i, then UnexpectedStatus has it', async status => {
  on('/no', response => response.writeHead(status).end())
  await expect(fetchFile('/no')).rejects.toMatchObject({ name: 'UnexpectedStatus', status })
})

test('when the answer is 401, then an operator learns whose credentials were refused', async () => {
  on('/no', response => response.writeHead(401).end())
  const refused = fetchFile('/no')
  await expect(refused).rejects.toBeInstanceOf(TokenRefused)
  await expect(refused).rejects.toThrow('answered 401: the key is wrong')
})

const stops: Answer = response => response.writeHead(200, { 'content-length': 100 }).write('abc')
const breaks: Answer = response => {
  response.writeHead(200, { 'content-length': 100 }).write('abc', () => response.destroy())
}
const trickles: Answer = response => {
  const timer = setInterval(() => response.write('a'), 20)
  response.on('close', () => clearInterval(timer))
}
test.each<[string, Answer, Parameters<typeof fetchFile>[1], string]>([
  ['no byte comes for too long', hang, { idleMs: 100 }, 'stood still'],
  ['no more bytes come for too long', stops, { idleMs: 100 }, 'stood still'],
  ['bytes trickle for too long', trickles, { timeoutMs: 300 }, 'timeout'],
  ['the connection breaks half-way', breaks, {}, 'aborted'],
])('when %s, then it is given up', async (_what, answer, limits, words) => {
  on('/broken', answer)
  await expect(fetchFile('/broken', limits)).rejects.toThrow(words)
})

test('when twenty downloads fail, then no descriptor is left open', async () => {
  on('/breaks', breaks)
  on('/stops', stops)
  on('/large', undeclared(17 * MEGABYTE))
  on('/refused', response => response.writeHead(500).end('x'))
  on('/moved', (response, request) => response.writeHead(302, { location: `${request.url}` }).write('x'))
  const before = openFiles().length
  for (let round = 0; round < 4; round++) {
    const names = ['/breaks', '/stops', '/large', '/refused', '/moved']
    const failed = await Promise.allSettled(names.map(name => fetchFile(name, { idleMs: 200 })))
    expect(failed.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
  }
  await eventually(() => openFiles().length <= before)
})
