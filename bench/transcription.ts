// Seconds from a stored recording to its text, beside the bare `ffmpeg | pocketsphinx` of the same file.
// Run: node bench/transcription.ts [recording] — with ffmpeg and pocketsphinx installed.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFfmpeg } from '../services/transcription/src/audio/ffmpeg.ts'
import { readSound } from '../services/transcription/src/audio/sounds.ts'
import { createSphinx } from '../services/transcription/src/engines/sphinx.ts'
import { listenTo } from '../services/transcription/src/hearing/listen-to.ts'

const RECORDING = '/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-0920.wav'
const ROUNDS = 5

const recording = process.argv[2] ?? RECORDING
const folder = await mkdtemp(join(tmpdir(), 'voxscribe-bench-'))
const { signal } = new AbortController()
const ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: 120_000 })
const engine = createSphinx({ command: 'pocketsphinx_continuous', timeoutMs: 300_000 })
// Loudness alone, as without Silero's model: the engine is what is measured here.
const detector = {
  speechIn: async (_path: string, { seconds }: { seconds: number }) => [{ from: 0, to: seconds }],
}
const note = { _id: 'bench', attempt: 1, language: 'en', bytes: 0, mime: null, parts: [] }

/** As a person would type it. */
function bare(): void {
  const command =
    'ffmpeg -v error -i "$1" -ar 16000 -ac 1 -f s16le - | pocketsphinx_continuous -infile /dev/stdin'
  execFileSync('sh', ['-c', `${command} -logfn /dev/null`, 'sh', recording])
}

/** As the service does it: decoded and measured, then listened to. */
async function ours(): Promise<void> {
  const sound = await readSound({ ffmpeg, detector }, recording, folder, signal)
  await listenTo(
    { ffmpeg, engine, savePart: async () => {}, usualLanguage: async () => 'auto' },
    note,
    sound,
    signal,
  )
}

async function secondsOf(work: () => void | Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!

const { seconds } = await ffmpeg.decode(recording, { signal })
const times: Record<string, number[]> = { bare: [], ours: [] }
// In turn, so that whatever else the machine does meets both alike.
for (let round = 0; round < ROUNDS; round++) {
  times.bare!.push(await secondsOf(bare))
  times.ours!.push(await secondsOf(ours))
}
console.log(`${seconds} s of speech, median of ${ROUNDS} rounds`)
for (const [name, measured] of Object.entries(times)) console.log(`${name}  ${median(measured).toFixed(2)} s`)
await rm(folder, { recursive: true, force: true })
