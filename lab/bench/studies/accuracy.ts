// Measures accuracy and speed of the speech engines. Run: MODEL_DIR=… node lab/bench/studies/accuracy.ts
// [words|clips|times …], with ffmpeg and Debian's pocketsphinx-testdata; a missing model is skipped with a message.
// ENGINES=sphinx,… chooses engines.
//   words       wrong words on real recordings: of the engine alone, with the file and with WhatsApp's version of it
//               (Opus, 16 kbit/s, mono), and through the product, with and without equal loudness (EBU R 128)
//   clips       clips without speech in which the detector finds some
//   times       seconds until a note's text is ready, and the memory of a worker
//   languages   wrong words in Spanish and French, in notes of 15 s made of clips: STAMPS names the folder of Debian's
//               tuxpaint-stamps-default
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lengthOfAll } from '../../../packages/speech/src/audio/pieces.ts'
import type { Detector } from '../../../packages/speech/src/audio/sounds.ts'
import type { Engine } from '../../../packages/speech/src/engines/engine.ts'
import { createLocal } from '../../../packages/speech/src/engines/local.ts'
import { createSphinx } from '../../../packages/speech/src/engines/sphinx.ts'
import { createNativePool } from '../../../packages/speech/src/local-model/pool.ts'
import { createDetector } from '../../../packages/speech/src/local-model/silero.ts'
import { openModels } from '../../../packages/speech/src/models/folder.ts'
import { megabytesOf, startedBy } from '../processes.ts'
import { createHearing } from './hearing.ts'
import { make, noteOf, ROUND_SECONDS, recordings, stampNotes, wordsOf, wrongWords } from './recordings.ts'

const folder = await mkdtemp(join(tmpdir(), 'voxscribe-accuracy-'))
const hearing = createHearing(folder)
const { ffmpeg } = hearing
const pool = createNativePool(2)
const modelDir = process.env.MODEL_DIR ?? '.data/models'
const detector = createDetector(pool, openModels({ folder: modelDir }))
const everything: Detector = {
  async *speechIn(_path, { seconds }) {
    yield { from: 0, to: seconds }
  },
}

const engines: Engine[] = ['whisper-base', 'whisper-tiny.en', 'moonshine-tiny-en'].flatMap(named => {
  const models = openModels({ folder: modelDir, named })
  const model = models.chosen()
  if (!model) console.log(`${named} is not in ${modelDir}: left out`)
  return model ? [createLocal(pool, model, models)] : []
})
const sphinx = createSphinx({ command: 'pocketsphinx_continuous', ffmpeg, timeoutMs: 300_000 })
engines.push(sphinx)
const isChosen = (...names: string[]) =>
  !process.env.ENGINES || process.env.ENGINES.split(',').some(each => names.includes(each))
const chosen = engines.filter(({ name, model }) => isChosen(name, model))

/** Language of the last transcribed note. */
let languageHeard = ''

async function listen(engine: Engine, path: string, by: Detector, language = 'en') {
  const { text, spokenLanguage } = await hearing.listen(engine, path, by, language)
  languageHeard = spokenLanguage
  return wordsOf(text)
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
    const ways: [string, Detector, (path: string) => string][] = [
      ['bare, original file', everything, path => path],
      ['bare, as sent', everything, path => asSent(path)],
      ['product, as sent', detector, path => asSent(path)],
    ]
    const shares: string[] = []
    for (const [how, by, fileOf] of ways) {
      let wrong = 0
      for (const { path, words } of recordings)
        wrong += wrongWords(words, await listen(engine, fileOf(path), by))
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
  'anoisesrc=c=pink:a=0.8,lowpass=f=400',
  'anoisesrc=c=white:a=0.8,highpass=f=3000',
]
/** Five seconds, and less than one second, in which the detector looks twice. */
const LEVELS: [level: number, seconds: number][] = [
  ...[0, -12, -24, -36, -60].map((level): [number, number] => [level, 5]),
  ...[0, -12, -24, -36, -60].map((level): [number, number] => [level, 0.7]),
]

/** Returns the seconds in which the detector finds speech, and the file's length in seconds. */
async function foundIn(path: string): Promise<{ found: number; seconds: number }> {
  const { speech, seconds } = await hearing.read(path, detector)
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
}

/** Returns the memory in MB of the largest process that this one has started. */
const largestWorker = (): number => Math.max(...startedBy(process.pid).map(pid => megabytesOf(pid, 'VmRSS')))

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

/** Measures wrong words in Spanish and French, where the engine has to detect the language. */
async function languages(): Promise<void> {
  for (const engine of chosen.filter(({ abilities }) => abilities.languages.length > 1))
    for (const language of ['es', 'fr']) {
      let [wrong, all, right] = [0, 0, 0]
      const notes = stampNotes(language, folder)
      for (const { path, words } of notes) {
        wrong += wrongWords(words, await listen(engine, path, detector, 'auto'))
        all += words.length
        right += Number(languageHeard === language)
      }
      const share = ((100 * wrong) / all).toFixed(1)
      console.log(
        `${engine.model}, ${language}: ${share} % of ${all} words wrong; language right in ${right} of ${notes.length} notes`,
      )
    }
}

const MEASURES = { words, clips, times, languages }
const asked = process.argv.slice(2) as (keyof typeof MEASURES)[]
for (const name of asked.length ? asked : (Object.keys(MEASURES) as (keyof typeof MEASURES)[]))
  await MEASURES[name]()
pool.close()
if (!existsSync(join(modelDir, 'silero-vad'))) console.log('Silero is not here: loudness alone decided')
await rm(folder, { recursive: true, force: true })
