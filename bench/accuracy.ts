// What may be expected of the words. Run: MODEL_DIR=… node bench/accuracy.ts [words|clips|speech|times|long …], with
// ffmpeg and Debian's pocketsphinx-testdata; a model that is missing is left out, and said. ENGINES=sphinx,… chooses.
//   words   wrong words on real recordings: of the engine alone, on the file and on what WhatsApp makes of it (Opus, 16
//           kbit/s, mono), and through the product; brought to one loudness first (EBU R 128), or not
//   clips   clips in which nobody speaks, in which the detector finds speech
//   speech  speech that the detector loses: quiet, in noise, one word
//   times   seconds to the text of a note, and memory of a worker
//   long    two hours in one note, in parts for a provider's stand-in (not by default); see long-note.ts for engines
//   empty   long files without speech (not by default)
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { Logger } from '@voxscribe/service'
import type { Detector } from '../services/transcription/src/audio/detector.ts'
import { createFfmpeg } from '../services/transcription/src/audio/ffmpeg.ts'
import { lengthOfAll } from '../services/transcription/src/audio/pieces.ts'
import { readSound } from '../services/transcription/src/audio/sounds.ts'
import type { Engine } from '../services/transcription/src/engines/engine.ts'
import { createLocal } from '../services/transcription/src/engines/local.ts'
import { createOpenAi } from '../services/transcription/src/engines/openai.ts'
import { createSphinx } from '../services/transcription/src/engines/sphinx.ts'
import { listenTo } from '../services/transcription/src/hearing/listen-to.ts'
import { createNativePool } from '../services/transcription/src/local-model/pool.ts'
import { createDetector } from '../services/transcription/src/local-model/silero.ts'
import { openModels } from '../services/transcription/src/models/folder.ts'
import { make, noteOf, type Recording, ROUND_SECONDS, recordings, wordsOf, wrongWords } from './recordings.ts'

const folder = await mkdtemp(join(tmpdir(), 'voxscribe-accuracy-'))
const { signal } = new AbortController()
const ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: 600_000 })
const pool = createNativePool(2)
const modelDir = process.env.MODEL_DIR ?? '.data/models'
const detector = createDetector(pool, openModels({ folder: modelDir }).detector)
const everything: Detector = { speechIn: async (_path, { seconds }) => [{ from: 0, to: seconds }] }

const engines: Engine[] = ['whisper-base', 'whisper-tiny.en', 'moonshine-tiny-en'].flatMap(named => {
  const model = openModels({ folder: modelDir, named }).chosen()
  if (!model) console.log(`${named} is not in ${modelDir}: left out`)
  return model ? [createLocal(pool, model)] : []
})
const sphinx = createSphinx({ command: 'pocketsphinx_continuous', timeoutMs: 300_000 })
engines.push(sphinx)
const isChosen = (...names: string[]) =>
  !process.env.ENGINES || process.env.ENGINES.split(',').some(each => names.includes(each))
const chosen = engines.filter(({ name, model }) => isChosen(name, model))

async function listen(engine: Engine, path: string, by: Detector) {
  const note = { _id: 'bench', attempt: 1, language: 'en', bytes: 0, mime: null, parts: [] }
  const sound = await readSound({ ffmpeg, detector: by }, path, folder, signal)
  const deps = { ffmpeg, engine, savePart: async () => {}, usualLanguage: async () => 'auto' }
  return wordsOf((await listenTo(deps, note, sound, signal)).text)
}

const all = recordings.reduce((sum, { words }) => sum + words.length, 0)
function asSent(path: string, ...filter: string[]) {
  const sent = join(folder, 'sent.ogg')
  make('-i', path, ...filter, '-ac', '1', '-c:a', 'libopus', '-b:a', '16k', sent)
  return sent
}

async function words(): Promise<void> {
  console.log(`${recordings.length} recordings, ${all} words; wrong words in %`)
  for (const engine of chosen) {
    const even = engine.wantsEvenLoudness ?? false
    const ways: [string, boolean, Detector, (path: string) => string][] = [
      ['bare, original file', even, everything, path => path],
      ['bare, as sent', even, everything, path => asSent(path)],
      ['product, as sent', even, detector, path => asSent(path)],
      [`product, loudness ${even ? 'as it came' : 'evened'}`, !even, detector, path => asSent(path)],
    ]
    const shares: string[] = []
    for (const [how, wantsEvenLoudness, by, fileOf] of ways) {
      let wrong = 0
      for (const { path, words } of recordings)
        wrong += wrongWords(words, await listen({ ...engine, wantsEvenLoudness }, fileOf(path), by))
      shares.push(`${how} ${((100 * wrong) / all).toFixed(1)}`)
    }
    const joined = noteOf(ROUND_SECONDS, folder)
    const wrong = wrongWords(joined.said, await listen(engine, joined.path, detector))
    shares.push(`product, five in one note of 25 s ${((100 * wrong) / joined.said.length).toFixed(1)}`)
    console.log(`${engine.name} ${engine.model}: ${shares.join('; ')}`)
  }
}

const SOUNDS = [
  ...['white', 'pink', 'brown', 'blue', 'violet'].map(colour => `anoisesrc=c=${colour}:a=0.5`),
  ...[50, 60, 120, 440, 1000].map(hertz => `sine=f=${hertz}`),
  'aevalsrc=0.3*sin(697*2*PI*t)+0.3*sin(1209*2*PI*t)',
  'aevalsrc=0.3*sin(941*2*PI*t)+0.3*sin(1336*2*PI*t)',
  String.raw`aevalsrc=0.5*sin(2*PI*(220+110*floor(mod(t*3\,5)))*t)`,
  'aevalsrc=0.4*sin(2*PI*262*t)+0.3*sin(2*PI*330*t)+0.2*sin(2*PI*392*t)',
  String.raw`aevalsrc=0.6*sin(2*PI*80*t)*exp(-8*mod(t\,0.5))`,
  'anullsrc',
  'anoisesrc=c=brown:a=1,tremolo=f=0.5',
  'sine=f=300:beep_factor=4',
  'anoisesrc=c=pink:a=0.8,lowpass=f=400',
  'anoisesrc=c=white:a=0.8,highpass=f=3000',
]
/** Five seconds, and less than a second, in which the detector looks twice. */
const LEVELS: [level: number, seconds: number][] = [
  ...[0, -12, -24, -36, -60].map((level): [number, number] => [level, 5]),
  ...[0, -12, -24, -36, -60].map((level): [number, number] => [level, 0.7]),
]

/** Seconds in which the detector finds speech, and seconds of the file. */
async function foundIn(path: string): Promise<{ found: number; seconds: number }> {
  const { speech, seconds } = await readSound({ ffmpeg, detector }, path, folder, signal)
  return { found: lengthOfAll(speech), seconds }
}

async function clips(): Promise<void> {
  const phantoms: string[] = []
  for (const sound of SOUNDS)
    for (const [level, seconds] of LEVELS) {
      const clip = join(folder, 'clip.wav')
      make('-f', 'lavfi', '-i', sound, '-t', `${seconds}`, '-af', `volume=${level}dB`, '-ar', '16000', clip)
      if ((await foundIn(clip)).found) phantoms.push(`${sound} ${level} dB ${seconds} s`)
    }
  console.log(
    `${SOUNDS.length * LEVELS.length} clips without speech: speech found in ${phantoms.length}`,
    ...phantoms,
  )
  const talkers = recordings.slice(0, 5).flatMap(({ path }) => ['-i', path])
  const babble = join(folder, 'babble.wav')
  make(...talkers, '-filter_complex', 'amix=inputs=5:duration=shortest', babble)
  const { found, seconds } = await foundIn(babble)
  console.log(`babble of five: speech in ${found.toFixed(1)} of ${seconds} s`)
}

const NOISE = ['-f', 'lavfi', '-i', 'anoisesrc=c=pink:a=0.05', '-filter_complex']
const HARD: Record<string, string[]> = {
  '-40 dB': ['-af', 'volume=-40dB'],
  '0 dB SNR': [...NOISE, '[0]dynaudnorm=r=0.05:g=31[a];[a][1]amix=duration=first:normalize=0'],
}
/** Seconds of a word that somebody would send by itself, like `yes`. */
const WORD_SECONDS = 0.4

/** Words of a recording with their borders, as far as PocketSphinx hears what was said. */
async function wordsIn({ path, words }: Recording) {
  const { samples, seconds } = await readSound({ ffmpeg, detector: everything }, path, folder, signal)
  const part = { samples, pieces: [{ from: 0, to: seconds }], gain: 1, key: '', folder, noteSeconds: seconds }
  const { segments } = await sphinx.recognise(part, 'en', signal)
  const heard = segments.flatMap(segment => segment.words ?? [])
  return heard.filter(({ text, from, to }) => words.includes(text) && to - from >= WORD_SECONDS)
}

async function speech(): Promise<void> {
  const lost: string[] = []
  let clips = 0
  async function look(what: string, clip: string, least: number) {
    const { found } = await foundIn(clip)
    clips += 1
    if (found < least) lost.push(`${what}: ${found.toFixed(2)} of ${least.toFixed(2)} s`)
  }
  for (const recording of recordings) {
    const { path } = recording
    const { seconds } = await ffmpeg.decode(path, { signal })
    for (const [how, args] of Object.entries(HARD))
      await look(`${path.slice(-12)} ${how}`, asSent(path, ...args), 0.6 * seconds)
    for (const { text, from, to } of await wordsIn(recording)) {
      const around = `atrim=${from}:${to},asetpts=N/SR/TB,adelay=300:all=1,apad=pad_dur=0.3`
      await look(`"${text}" of ${path.slice(-12)}`, asSent(path, '-af', around), to - from)
    }
  }
  console.log(`speech lost to the detector: ${lost.length} of ${clips}`, ...lost)
}

/** Memory of the processes that this one has started, the largest, in MB. */
function largestWorker(): number {
  const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ')
  const resident = (pid: string) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  return Math.round(Math.max(...children.filter(Boolean).map(resident)) / 1000)
}

async function times(): Promise<void> {
  for (const engine of chosen) {
    await listen(engine, noteOf(3, folder).path, detector)
    const shown: string[] = []
    for (const seconds of [3, 10, 60]) {
      const note = noteOf(seconds, folder).path
      const started = performance.now()
      await listen(engine, note, detector)
      const took = (performance.now() - started) / 1000
      shown.push(`${seconds} s in ${took.toFixed(2)} s (${(took / seconds).toFixed(2)})`)
    }
    console.log(`${engine.name} ${engine.model}: ${shown.join(', ')}; a worker has ${largestWorker()} MB`)
  }
}

/** Runs work; returns what it gave, its seconds, and how much memory we and the largest worker had meanwhile. */
async function watched<T>(work: () => Promise<T>) {
  const [own, workers]: [number[], number[]] = [[], []]
  const timer = setInterval(() => {
    own.push(process.memoryUsage().rss / 1e6)
    workers.push(largestWorker())
  }, 2_000)
  const started = performance.now()
  const result = await work()
  clearInterval(timer)
  const ends = (of: number[]) =>
    `${Math.round(of[Math.floor(of.length / 4)] ?? 0)} to ${Math.round(Math.max(0, ...of))} MB`
  const took = `${((performance.now() - started) / 1000).toFixed(0)} s`
  return { result, shown: `${took}; memory from a quarter on: ${ends(own)}, worker ${ends(workers)}` }
}

/** A provider that takes its time and says of each part only which it was; when asked for segments, as one. */
async function startProvider() {
  const seen = { calls: 0, now: 0, atOnce: 0, largest: 0 }
  const server = createServer(async (request, response) => {
    seen.calls += 1
    seen.now += 1
    const text = `Part ${seen.calls}.`
    seen.atOnce = Math.max(seen.atOnce, seen.now)
    const body = await buffer(request)
    seen.largest = Math.max(seen.largest, body.length)
    await setTimeout(500)
    seen.now -= 1
    const segments = body.includes('verbose_json') ? [{ text, start: 0, end: 2 }] : null
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ text, segments }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { seen, baseUrl, stop: () => server.close() }
}

const LONG_SECONDS = 7_200
async function long(): Promise<void> {
  const note = noteOf(LONG_SECONDS, folder).path
  for (const model of ['gpt-4o-mini-transcribe', 'gpt-transcribe', 'whisper-1', 'another'].filter(model =>
    isChosen(model),
  )) {
    const { seen, baseUrl, stop } = await startProvider()
    const options = {
      apiKey: 'key',
      baseUrl,
      model,
      timeoutMs: 60_000,
      ffmpeg,
      log: console as unknown as Logger,
    }
    const { result, shown } = await watched(() => listen(createOpenAi(options), note, detector))
    stop()
    console.log(
      `openai ${model}: ${seen.calls} parts, ${result.length} words, at most ${seen.atOnce} at once, ` +
        `the largest of ${(seen.largest / 1e6).toFixed(2)} MB, ${shown}`,
    )
  }
}

/** Long files in which nobody speaks. */
const MUSIC = '[0]aeval=0.4*val(0)+0.2*sin(2*PI*(262+66*floor(mod(t*2\\,4)))*t),tremolo=f=4:d=0.6'
function emptyFiles(): [what: string, path: string][] {
  const [minute, music, silence] = ['minute.ogg', 'music.ogg', 'silence.wav'].map(name => join(folder, name))
  const opus = ['-ac', '1', '-c:a', 'libopus', '-b:a', '12k']
  make('-f', 'lavfi', '-i', 'sine=f=131', '-filter_complex', MUSIC, '-t', '60', ...opus, minute!)
  make('-stream_loop', '-1', '-i', minute!, '-t', '8400', '-c', 'copy', music!)
  make('-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-fs', '16000000', silence!)
  return [
    ['140 minutes of music', music!],
    ['16 MB of silence', silence!],
  ]
}

async function empty(): Promise<void> {
  for (const [what, path] of emptyFiles()) {
    const { result, shown } = await watched(() => foundIn(path))
    const megabytes = (statSync(path).size / 1e6).toFixed(1)
    console.log(
      `${what}, ${megabytes} MB: speech in ${result.found.toFixed(1)} of ${result.seconds} s, ${shown}`,
    )
  }
}

const MEASURES = { words, clips, speech, times, long, empty }
const asked = process.argv.slice(2) as (keyof typeof MEASURES)[]
for (const name of asked.length ? asked : (['words', 'clips', 'speech', 'times'] as const))
  await MEASURES[name]()
pool.close()
if (!existsSync(join(modelDir, 'silero-vad'))) console.log('Silero is not here: loudness alone decided')
await rm(folder, { recursive: true, force: true })
