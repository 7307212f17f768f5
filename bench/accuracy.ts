// Wrong words of each engine on real recordings: bare, and through the product as WhatsApp sends them (Opus, 16 kbit/s,
// mono); words where nobody speaks; speech that the detector loses.
// Run: MODEL_DIR=… node bench/accuracy.ts, with ffmpeg and Debian's pocketsphinx-testdata; a model that is missing is
// left out, and said.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { distance } from 'fastest-levenshtein'
import { createDetector, type Detector } from '../services/transcription/src/audio/detector.ts'
import { createFfmpeg, ffmpegCommand } from '../services/transcription/src/audio/ffmpeg.ts'
import { readSound } from '../services/transcription/src/audio/sounds.ts'
import type { Engine } from '../services/transcription/src/engines/engine.ts'
import { createLocal } from '../services/transcription/src/engines/local.ts'
import { createSphinx } from '../services/transcription/src/engines/sphinx.ts'
import { openModels } from '../services/transcription/src/models/folder.ts'
import { createNativePool } from '../services/transcription/src/native/pool.ts'
import { listenTo } from '../services/transcription/src/note/listen-to.ts'

const DATA = '/usr/share/pocketsphinx/test/data'
const DIGITS = 'zero one two three four five six seven eight nine ten'.split(' ')

interface Recording {
  path: string
  words: string[]
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/\d+/g, number => DIGITS[Number(number)] ?? number)
    .replace(/\bmr\.?(?= )/g, 'mister')
    .match(/[a-z']+/g) ?? []

const listed = (folder: string, file: string): Recording[] =>
  readFileSync(join(DATA, folder, file), 'utf8')
    .split('\n')
    .flatMap(line => {
      const [, said = '', name] = /<s>(.*)<\/s>\s*\((.+)\)/.exec(line) ?? []
      return name ? [{ path: join(DATA, folder, `${name}.wav`), words: wordsOf(said) }] : []
    })
const recordings = [...listed('librivox', 'transcription'), ...listed('cards', 'cards.transcription')]

/** Words that must be changed, added or left out: each word is one letter of two texts that are compared. */
function wrongWords(said: string[], heard: string[]): number {
  const letters = new Map<string, string>()
  const spelt = (words: string[]) =>
    words
      .map(word => {
        if (!letters.has(word)) letters.set(word, String.fromCharCode(0x4e00 + letters.size))
        return letters.get(word)
      })
      .join('')
  return distance(spelt(said), spelt(heard))
}

const folder = await mkdtemp(join(tmpdir(), 'voxscribe-accuracy-'))
const { signal } = new AbortController()
const ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: 120_000 })
const pool = createNativePool(2)
const modelDir = process.env.MODEL_DIR ?? '.data/models'
const detector = createDetector(pool, openModels({ folder: modelDir }))
const everything: Detector = { speechIn: async (_path, { seconds }) => [{ from: 0, to: seconds }] }
const make = (...args: string[]) => execFileSync(ffmpegCommand(), ['-v', 'error', '-nostdin', '-y', ...args])

const engines: Engine[] = ['whisper-base', 'whisper-tiny.en', 'moonshine-tiny-en'].flatMap(named => {
  const model = openModels({ folder: modelDir, named }).chosen()
  if (!model) console.log(`${named} is not in ${modelDir}: left out`)
  return model ? [createLocal(pool, model)] : []
})
engines.push(createSphinx({ command: 'pocketsphinx_continuous', timeoutMs: 300_000 }))

const listen = async (engine: Engine, path: string, by: Detector) => {
  const note = { _id: 'bench', attempt: 1, language: 'en', bytes: 0, mime: null, parts: [] }
  const sound = await readSound({ ffmpeg, detector: by }, path, folder, signal)
  const deps = { ffmpeg, engine, savePart: async () => {}, usualLanguage: async () => 'auto' }
  return (await listenTo(deps, note, sound, signal)).text
}

const all = recordings.reduce((sum, { words }) => sum + words.length, 0)
const asSent = (path: string, ...filter: string[]) => {
  const sent = join(folder, 'sent.ogg')
  make('-i', path, ...filter, '-ac', '1', '-c:a', 'libopus', '-b:a', '16k', sent)
  return sent
}

console.log(`${recordings.length} recordings, ${all} words; wrong words in %, seconds for a second of audio`)
for (const engine of engines) {
  const wrong = { bare: 0, product: 0 }
  let seconds = 0
  let took = 0
  for (const { path, words } of recordings) {
    wrong.bare += wrongWords(words, wordsOf(await listen(engine, path, everything)))
    const sent = asSent(path)
    seconds += (await ffmpeg.decode(sent, { signal })).seconds
    const started = performance.now()
    wrong.product += wrongWords(words, wordsOf(await listen(engine, sent, detector)))
    took += (performance.now() - started) / 1000
  }
  const share = (count: number) => `${((100 * count) / all).toFixed(1)} %`.padStart(7)
  const name = `${engine.name} ${engine.model}`.padEnd(26)
  console.log(
    `${name} bare ${share(wrong.bare)}  product ${share(wrong.product)}  ${(took / seconds).toFixed(2)}`,
  )
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
let clips = 0
const phantoms: string[] = []
for (const sound of SOUNDS)
  for (const level of [0, -6, -12, -18, -24, -30, -36, -42, -48, -60]) {
    const clip = join(folder, 'clip.wav')
    make('-f', 'lavfi', '-i', sound, '-t', '5', '-af', `volume=${level}dB`, '-ar', '16000', clip)
    const samples = join(folder, 'clip.raw')
    const found = await detector.speechIn(samples, await ffmpeg.decode(clip, { to: samples, signal }), signal)
    clips += 1
    if (found.length) phantoms.push(`${sound} ${level} dB`)
  }
console.log(`${clips} clips in which nobody speaks: speech found in ${phantoms.length}`, ...phantoms)

const lost: string[] = []
const noise = ['-f', 'lavfi', '-i', 'anoisesrc=c=pink:a=0.05', '-filter_complex']
for (const { path } of recordings)
  for (const [how, args] of Object.entries({
    '-40 dB': ['-af', 'volume=-40dB'],
    '0 dB SNR': [...noise, '[0]dynaudnorm=r=0.05:g=31[a];[a][1]amix=duration=first:normalize=0'],
    'one word': ['-ss', '0.3', '-t', '0.6'],
  })) {
    const samples = join(folder, 'quiet.raw')
    const measured = await ffmpeg.decode(asSent(path, ...args), { to: samples, signal })
    const found = await detector.speechIn(samples, measured, signal)
    const heard = found.reduce((sum, { from, to }) => sum + to - from, 0)
    if (heard < 0.6 * measured.seconds)
      lost.push(`${path.slice(-12)} ${how}: ${heard.toFixed(1)} of ${measured.seconds} s`)
  }
console.log(`speech lost to the detector: ${lost.length} of ${recordings.length * 3}`, ...lost)

pool.close()
if (!existsSync(join(modelDir, 'silero-vad'))) console.log('Silero is not here: loudness alone decided')
await rm(folder, { recursive: true, force: true })
