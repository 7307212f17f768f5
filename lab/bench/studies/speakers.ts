// Measures how well speakers are told apart. Run: MODEL_DIR=… node lab/bench/studies/speakers.ts MODEL [--write] [--long],
// where the MODEL of voices is a name of `npm run model` or a file. Needs ffmpeg and Debian's pocketsphinx-testdata, asterisk-core-sounds-{en,es,fr,it,ru}-g722 and
// tuxpaint-stamps-default (SOUNDS_ROOT: the folder where they were unpacked). `--write` updates the tables of
// docs/speech.md; `--long` also tells the speakers of three hours apart.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Sound } from '../../../packages/speech/src/audio/sounds.ts'
import { createLocal } from '../../../packages/speech/src/engines/local.ts'
import { turnsOfSides } from '../../../packages/speech/src/hearing/sides.ts'
import { inTurns, type SpeakerTurn } from '../../../packages/speech/src/hearing/speaker-turns.ts'
import type { Segment } from '../../../packages/speech/src/hearing/speech.ts'
import { createVoices } from '../../../packages/speech/src/hearing/voices.ts'
import { createNativePool } from '../../../packages/speech/src/local-model/pool.ts'
import { createDetector } from '../../../packages/speech/src/local-model/silero.ts'
import { openModels } from '../../../packages/speech/src/models/folder.ts'
import { line, table, writeBetween } from '../pages.ts'
import { cpuHere, megabytesOf, startedBy } from '../processes.ts'
import {
  type Conversation,
  converse,
  createRandom,
  type Said,
  soloOf,
  type Voice,
  voicesHere,
  write,
} from './conversations.ts'
import { createHearing } from './hearing.ts'
import { make } from './recordings.ts'
import { scored, wordsInMouths } from './speaker-scores.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
  },
})
const { MODEL_DIR = '.data/models' } = process.env
const modelsWith = (voices?: string) => openModels({ folder: MODEL_DIR, named: 'whisper-tiny.en', voices })
const models = modelsWith()
const chosen = models.chosen()
if (!chosen) throw new Error('whisper-tiny.en must be in MODEL_DIR')

const folder = await mkdtemp(join(tmpdir(), 'voxscribe-speakers-'))
const { signal } = new AbortController()
const pool = createNativePool(2)
const hearing = createHearing(folder)
const detector = createDetector(pool, models)
/** Cached vectors of sounds, which don't depend on the number of speakers. */
const embedded = new Map<string, Promise<unknown>>()
const remembering: typeof pool = {
  ...pool,
  run(task, options) {
    if (task.do !== 'embed') return pool.run(task, options)
    const key = `${task.voices} ${task.path} ${task.windows[0]?.from}`
    const found = embedded.get(key) ?? pool.run(task, options)
    embedded.set(key, found)
    return found as ReturnType<typeof pool.run<typeof task>>
  },
}
const [wanted = ''] = positionals
const modelOfVoices = modelsWith(wanted)
const pathOfModel = modelOfVoices.voices()?.path
if (!pathOfModel) throw new Error(`${wanted} is no model of voices in MODEL_DIR, and no file`)
const voices = createVoices(remembering, modelOfVoices)
const engine = createLocal(pool, chosen, models)

interface Diarised {
  sound: Sound
  turns: SpeakerTurn[]
  isBySides: boolean
  /** Processor seconds for telling them apart, without decoding and speech detection. */
  seconds: number
}

const opened = new Map<string, Promise<Sound>>()
function open(path: string): Promise<Sound> {
  const sound = opened.get(path) ?? hearing.read(path, detector)
  opened.set(path, sound)
  return sound
}

/** Tells speakers apart as for a note. */
async function diarise(path: string, count: number | null): Promise<Diarised> {
  const sound = await open(path)
  const started = cpuHere()
  const sides = sound.sides && (count ?? 2) === 2 ? turnsOfSides(sound.sides, sound.speech) : null
  const turns = sides ?? (await voices.turns(sound, { count, signal, progress: () => {} }))
  return { sound, turns, isBySides: sides !== null, seconds: cpuHere() - started }
}

const listened = new Map<Sound, Promise<Segment[]>>()
function segmentsOf(sound: Sound): Promise<Segment[]> {
  const segments = listened.get(sound) ?? hearing.listen(engine, sound, 'en').then(({ segments }) => segments)
  listened.set(sound, segments)
  return segments
}

const found = (turns: SpeakerTurn[]) => new Set(turns.map(({ speaker }) => speaker)).size
const percent = (share: number) => (100 * share).toFixed(1)

const here = voicesHere()
const named = (name: string) => here.find(voice => voice.name === name)
const austen = named('Austen')!
const cards = named('Cards')!
const PAIRS = [
  ['Austen', 'Cards'],
  ['English', 'Austen'],
  ['French', 'Russian'],
  ['Italian', 'Spanish'],
]
  .map(pair => pair.flatMap(name => named(name) ?? []))
  .filter(({ length }) => length === 2)
const LENGTHS: [number, number][] = [
  [1, 3],
  [3, 8],
  [8, 20],
]
const OVERLAPS = [0, 0.05, 0.15]
const SECONDS = 45
/** Loudness of each in the other's channel: -26 dB. */
const LEAK = 0.05

interface Sum {
  speech: number
  right: number
  turns: number
  found: number
  words: number
  wrong: number
  seconds: number
  counts: number[]
}

const nothing = (): Sum => ({
  speech: 0,
  right: 0,
  turns: 0,
  found: 0,
  words: 0,
  wrong: 0,
  seconds: 0,
  counts: [],
})

async function measure(conversation: Conversation, count: number | null, sums: Sum[]) {
  const { said, path, seconds, isWritten } = conversation
  const { turns, sound, seconds: took } = await diarise(path, count)
  const scores = scored(said, turns)
  const segments = isWritten ? await segmentsOf(sound) : []
  const mouths = wordsInMouths(said, inTurns(segments, turns, 'en'), scores.speakers)
  for (const sum of sums) {
    sum.speech += seconds
    sum.right += scores.right * seconds
    sum.turns += said.length
    sum.found += scores.turns
    sum.seconds += took
    sum.counts.push(found(turns))
    sum.words += mouths.words
    sum.wrong += mouths.wrong
  }
}

const HEADS = ['speech with the right speaker', 'turns found', 'words in the wrong mouth', 'two found']
const cellsOf = ({ speech, right, words, wrong, counts, ...sum }: Sum) => [
  `${percent(right / speech)} %`,
  `${sum.found} of ${sum.turns}`,
  words ? `${wrong} of ${words}` : '–',
  `${counts.filter(each => each === 2).length} of ${counts.length}`,
]
const HOW = [
  ['two channels', null, LEAK],
  ['one channel, "2"', 2, undefined],
  ['one channel, "I don’t know"', null, undefined],
] as const

/** Measures conversations of two, by kind and in all. */
async function conversations(): Promise<Record<string, string[]>> {
  const rows: (string | number)[][] = []
  const totals: (string | number)[][] = []
  for (const [how, count, leak] of HOW) {
    const total = nothing()
    for (const turns of LENGTHS)
      for (const overlap of OVERLAPS) {
        const sum = nothing()
        for (const pair of PAIRS) {
          const path = join(folder, `${pair.map(({ name }) => name).join()}-${turns}-${overlap}-${leak}.flac`)
          const plan = { voices: pair, turns, overlap, seconds: SECONDS }
          const talk = converse(path, { ...plan, ...(leak !== undefined && { leak, leakAfter: 0.02 }) })
          await measure(talk, count, [total, sum])
        }
        rows.push([how, `${turns.join(' to ')} s`, `${100 * overlap} %`, ...cellsOf(sum)])
        console.log(line(rows.at(-1) ?? []))
      }
    // Another number of speakers groups the same vectors, which the first run has computed.
    const took = how === HOW[1][0] ? `${((60 * total.seconds) / total.speech).toFixed(1)} s` : '–'
    totals.push([`${basename(wanted, '.onnx')}, ${how}`, ...cellsOf(total), took])
    console.log(line(totals.at(-1) ?? []))
  }
  return {
    conversations: table(['channels', 'turns', 'overlap', ...HEADS], rows),
    models: table(['model', ...HEADS, 'processor time for a minute'], totals),
  }
}

interface Odd {
  name: string
  count?: number
  right: string
  make(path: string): Said[] | undefined
}

const RATE = 16_000
function solo(
  voice: Voice,
  seconds: number,
  channels: (sound: (at: number) => number) => ((at: number) => number)[],
) {
  return (path: string): undefined => {
    const sound = soloOf(voice, seconds)
    write(
      path,
      Math.round(seconds * RATE),
      channels(at => sound[at] ?? 0),
    )
  }
}
const mono = (sound: (at: number) => number) => [sound]
const from =
  (source: string) =>
  (path: string): undefined => {
    make('-f', 'lavfi', '-i', source, '-t', '30', '-ar', `${RATE}`, path)
  }
/** Four chords over a beat, with a melody and no voice. */
const MUSIC =
  'aevalsrc=0.2*sin(2*PI*(131+33*floor(mod(t/2\\,4)))*t)+0.15*sin(2*PI*(165+41*floor(mod(t/2\\,4)))*t)+0.2*sin(2*PI*(262+65*floor(mod(3*t\\,5)))*t)*exp(-3*mod(3*t\\,1))+0.4*sin(2*PI*60*t)*exp(-12*mod(2*t\\,1))'
const two = (leak: number, leakAfter: number) => (path: string) =>
  converse(path, { voices: [austen, cards], turns: [2, 8], overlap: 0, seconds: 60, leak, leakAfter }).said
const SIX = ['Austen', 'Cards', 'Orders', 'English', 'French', 'Italian']
/** A woman who reads English and Spanish. */
function bilingual(path: string): Said[] {
  const voices = ['English', 'English in Spanish'].flatMap(name => named(name) ?? [])
  const one = voices.map(voice => ({ ...voice, name: 'English' }))
  return converse(path, { voices: one, turns: [3, 8], overlap: 0, seconds: 40 }).said
}
const six = (path: string) =>
  converse(path, {
    voices: SIX.flatMap(name => named(name) ?? []).map(voice => ({ ...voice, isWritten: false })),
    turns: [3, 3.4],
    overlap: 0,
    seconds: 20,
  }).said

const random = createRandom(3)
const ODD: Odd[] = [
  ...here.flatMap(voice => ({
    name: `${voice.name} alone, one channel`,
    right: '1',
    make: solo(voice, 30, mono),
  })),
  ...[1, 2, 3, 6].map(count => ({
    name: `one reader, asked as ${count}`,
    count,
    right: `${count}`,
    make: solo(austen, 24, mono),
  })),
  { name: 'one reader, in two languages by turns', right: '1', make: bilingual },
  { name: 'six readers in 20 s', right: '6', make: six },
  { name: 'six readers in 20 s, asked as 6', count: 6, right: '6', make: six },
  { name: 'silence', right: '0', make: from('anullsrc') },
  { name: 'noise', right: '0', make: from('anoisesrc=c=pink:a=0.3') },
  { name: 'music', right: '0', make: from(MUSIC) },
  { name: 'two channels, the same sound twice', right: '1', make: solo(austen, 24, sound => [sound, sound]) },
  {
    name: 'two channels, one 30 ms later',
    right: '1',
    make: solo(austen, 24, sound => [sound, at => sound(at - 0.03 * RATE)]),
  },
  {
    name: 'two channels, one 250 ms later and fainter',
    right: '1',
    make: solo(austen, 24, sound => [sound, at => 0.3 * sound(at - 0.25 * RATE)]),
  },
  { name: 'two channels, one empty', right: '1', make: solo(austen, 24, sound => [sound, () => 0]) },
  {
    name: 'two channels, one of them a hiss',
    right: '1',
    make: solo(austen, 24, sound => [sound, () => 0.01 * (random() - 0.5)]),
  },
  {
    name: 'two channels, one reader a little to the left',
    right: '1',
    make: solo(austen, 24, sound => [sound, at => 0.5 * sound(at)]),
  },
  { name: 'two channels, two readers who echo at -14 dB after 100 ms', right: '2', make: two(0.2, 0.1) },
  { name: 'two channels, two readers who echo at -8 dB after 250 ms', right: '2', make: two(0.4, 0.25) },
]

async function oddOnes(): Promise<string[]> {
  const rows: (string | number)[][] = []
  for (const [at, { name, count = null, right, make: makeIt }] of ODD.entries()) {
    const path = join(folder, `odd-${at}.flac`)
    const said = makeIt(path)
    const { turns, isBySides, seconds } = await diarise(path, count)
    rows.push([
      name,
      right,
      found(turns),
      isBySides ? 'channels' : 'voices',
      said ? `${percent(scored(said, turns).right)} %` : '–',
      `${seconds.toFixed(1)} s`,
    ])
    console.log(line(rows.at(-1) ?? []))
  }
  return table(['sound', 'speakers', 'found', 'by', 'speech with the right one', 'took'], rows)
}

async function longOnes(): Promise<string[]> {
  const rows: (string | number)[][] = []
  for (const leak of [LEAK, undefined]) {
    const talk = join(folder, 'talk.flac')
    opened.clear()
    converse(talk, {
      voices: [austen, cards],
      turns: [2, 20],
      overlap: 0.05,
      seconds: 600,
      ...(leak && { leak }),
    })
    const path = join(folder, `long-${leak}.ogg`)
    make('-stream_loop', '-1', '-i', talk, '-t', '10800', '-c:a', 'libopus', '-b:a', '32k', path)
    const started = cpuHere()
    const { turns, seconds } = await diarise(path, null)
    const all = cpuHere() - started
    const largest = Math.max(...startedBy(process.pid).map(pid => megabytesOf(pid, 'VmHWM')))
    rows.push([
      leak === undefined ? 'one' : 'two',
      found(turns),
      turns.length,
      `${(all - seconds).toFixed(0)} s`,
      `${seconds.toFixed(seconds < 10 ? 2 : 0)} s`,
      `${megabytesOf(process.pid, 'VmHWM')} MB`,
      `${largest} MB`,
    ])
    console.log(line(rows.at(-1) ?? []))
  }
  const heads = [
    'channels',
    'found',
    'turns',
    'decoded, speech found',
    'told apart',
    'this process',
    'largest worker',
  ]
  return table(heads, rows)
}

console.log(here.map(({ name }) => name).join(', '))
const tables: Record<string, string[]> = {
  ...(await conversations()),
  odd: await oddOnes(),
  ...(options.long && { long: await longOnes() }),
}
pool.close()
await rm(folder, { recursive: true, force: true })
if (options.write) await writeBetween('docs/speech.md', tables)
