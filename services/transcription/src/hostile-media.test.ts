import { mkdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import PQueue from 'p-queue'
import { createFfmpeg } from './audio/ffmpeg.ts'
import { Outgrown } from './audio/levels.ts'
import { Unworkable } from './failure.ts'
import { type Hostile, hostileFiles, playlists, written } from './testing/hostile-media.ts'
import { temporaryFolder, tone } from './testing.ts'

// Every file here is decoded as a note is. Longer: HOSTILE_SEEDS=200 (about 30 files each).
const SEEDS = Array.from({ length: Number(process.env.HOSTILE_SEEDS ?? 2) }, (_, index) => index + 1)
/** Far more than any of them takes; it must never be what ends one. */
const LIMIT_MS = 30_000
const MOST_SECONDS = 600
/** Why a file gave no sound. */
const REASONS = ['no_audio_track', 'unreadable_audio']

const { signal } = new AbortController()
const ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: LIMIT_MS })
let folder: string
let server: Server
let address: string
let requests = 0

beforeAll(async () => {
  folder = await temporaryFolder()
  await mkdir(join(folder, 'files'))
  server = createServer((_request, response) => {
    requests += 1
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the seconds of sound in it, or why there are none. */
async function outcomeOf(hostile: Hostile): Promise<number | string> {
  const path = await written(hostile, join(folder, 'files'))
  try {
    return (await ffmpeg.decode(path, { signal, mostSeconds: MOST_SECONDS })).seconds
  } catch (error) {
    if (error instanceof Outgrown) return 'outgrown'
    if (error instanceof Unworkable) return error.reason.code
    throw new Error(`${hostile.name} is no fault of ours`, { cause: error })
  }
}

async function refuse(files: Hostile[]): Promise<void> {
  const outcomes: [string, number | string][] = []
  for (const hostile of files) outcomes.push([hostile.name, await outcomeOf(hostile)])
  expect(outcomes.filter(([, outcome]) => !REASONS.includes(`${outcome}`))).toEqual([])
}

test('when a file names addresses, then it cannot be read, and nobody is asked', async () => {
  const places = ['tcp', 'rtmp', 'async:http', 'cache:http'].flatMap(scheme =>
    playlists(`${scheme}://${address}/a.wav`).slice(0, 6),
  )
  await refuse([...playlists(`http://${address}/a.wav`), ...places])
  expect(requests).toBe(0)
})

test('when a file names a recording on this machine, then that is not read', async () => {
  const theirs = await tone(join(folder, 'theirs.wav'))
  expect((await ffmpeg.decode(theirs, { signal })).isSilent).toBe(false)
  await refuse(playlists(theirs))
})

test('when a file is hostile by itself, then it ends in bounded time, with sound or a clear reason', async () => {
  const queue = new PQueue({ concurrency: 2 })
  const files = await hostileFiles(folder, SEEDS)
  const outcomes = await queue.addAll(
    files.map(hostile => async () => [hostile.name, await outcomeOf(hostile)] as const),
  )
  const unclear = outcomes.filter(
    ([, outcome]) =>
      !(typeof outcome === 'number' ? outcome > 0 : [...REASONS, 'outgrown'].includes(outcome)),
  )
  expect(unclear).toEqual([])
  expect(Object.fromEntries(outcomes)).toMatchObject({
    'nothing.ogg': 'unreadable_audio',
    'sound.zip': 'unreadable_audio',
    'at 0 Hz.wav': 'unreadable_audio',
    // A second of sound behind a picture of 256 million pixels.
    'cover.mp3': expect.closeTo(1, 0),
    'chapters.mp3': expect.closeTo(1, 0),
    'claims 4 GB.wav': expect.closeTo(1, 0),
    'at 1 Hz.wav': 'outgrown',
  })
})
