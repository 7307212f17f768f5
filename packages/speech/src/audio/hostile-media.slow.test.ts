import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import PQueue from 'p-queue'
import { Unworkable } from '../errors.ts'
import { onPath } from '../on-path.ts'
import { type Hostile, hostileFiles, playlists, written } from '../testing/hostile-media.ts'
import { temporaryFolder, tone } from '../testing/sound.ts'
import { createFfmpeg, type Ffmpeg, ffmpegCommand } from './ffmpeg.ts'
import { TooLong } from './levels.ts'

// Decodes every file like a note. For a longer run: HOSTILE_SEEDS=200 (about 30 files each).
const SEEDS = Array.from({ length: Number(process.env.HOSTILE_SEEDS ?? 1) }, (_, index) => index + 1)
/** Far more than any file takes; no file may end because of it. */
const LIMIT_MS = 30_000
const SECONDS_MAX = 600
/** Codes of files without audio; samples of 0 bits are a type that nothing reads. */
const REASONS = ['no_audio_track', 'unreadable_audio', 'kind_not_read']

/** Runs a program and logs its peak memory. */
const MEASURED = (command: string, log: string) => `#!${onPath('python3')}
import resource, subprocess, sys
code = subprocess.call(['${command}', *sys.argv[1:]])
with open('${log}', 'a') as log:
    log.write(f'{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1000}\\n')
sys.exit(code if code >= 0 else 128 - code)
`
/** Megabytes that a program may allocate, plus those of its own code. */
const MEGABYTES_MAX = 500 + 100

const { signal } = new AbortController()
let ffmpeg: Ffmpeg
/** Peak memory of each run of ffmpeg, in megabytes. */
let peaks: () => Promise<number[]>
let folder: string
let server: Server
let address: string
let requests = 0

beforeAll(async () => {
  folder = await temporaryFolder()
  await mkdir(join(folder, 'files'))
  const [command, log] = [join(folder, 'measured-ffmpeg'), join(folder, 'peaks')]
  await writeFile(command, MEASURED(ffmpegCommand(), log))
  await chmod(command, 0o755)
  ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: LIMIT_MS, FFMPEG_PATH: command })
  peaks = async () => (await readFile(log, 'utf8')).trim().split('\n').map(Number)
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

/** Returns the file's seconds of audio, or the code why it has none. */
async function outcomeOf(hostile: Hostile): Promise<number | string> {
  const path = await written(hostile, join(folder, 'files'))
  try {
    const [first] = await ffmpeg.decode(path, { to: '/dev/null', signal, maxSeconds: SECONDS_MAX })
    return first?.seconds ?? 0
  } catch (error) {
    if (error instanceof TooLong) return 'too long'
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
  expect(await ffmpeg.decode(theirs, { to: '/dev/null', signal })).toMatchObject([{ isSilent: false }])
  await refuse(playlists(theirs))
})

test('when a file is hostile, then time and memory are bounded, with sound or a clear reason', async () => {
  const queue = new PQueue({ concurrency: 2 })
  const files = await hostileFiles(folder, SEEDS)
  const outcomes = await queue.addAll(
    files.map(hostile => async () => [hostile.name, await outcomeOf(hostile)] as const),
  )
  const unclear = outcomes.filter(
    ([, outcome]) =>
      !(typeof outcome === 'number' ? outcome > 0 : [...REASONS, 'too long'].includes(outcome)),
  )
  expect(unclear).toEqual([])
  expect(Object.fromEntries(outcomes)).toMatchObject({
    'nothing.ogg': 'unreadable_audio',
    'sound.zip': 'unreadable_audio',
    'at 0 Hz.wav': 'unreadable_audio',
    'of 0 bits.wav': 'kind_not_read',
    // A second of audio after a picture of 256 million pixels.
    'cover.mp3': expect.closeTo(1, 0),
    'chapters.mp3': expect.closeTo(1, 0),
    'claims 4 GB.wav': expect.closeTo(1, 0),
    'at 7 kHz.wav': expect.closeTo(2, 0),
  })
  expect(Math.max(...(await peaks()))).toBeLessThan(MEGABYTES_MAX)
})
