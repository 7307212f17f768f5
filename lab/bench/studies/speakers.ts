// How well speakers are told apart. Run: MODEL_DIR=… SPEAKER_MODEL=… node lab/bench/studies/speakers.ts [--write] [--long],
// with ffmpeg, Debian's pocketsphinx-testdata and asterisk-core-sounds-{en,fr,it,ru}-g722 (SOUNDS_ROOT names the folder
// where they were unpacked). `--write` renews the tables of docs/speech.md, `--long` also tells three hours apart.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { createFfmpeg } from '../../../services/transcription/src/audio/ffmpeg.ts'
import type { Sound } from '../../../services/transcription/src/audio/sounds.ts'
import { createLocal } from '../../../services/transcription/src/engines/local.ts'
import { listenTo } from '../../../services/transcription/src/hearing/listen-to.ts'
import { turnsOfSides } from '../../../services/transcription/src/hearing/sides.ts'
import { inTurns, type Turn } from '../../../services/transcription/src/hearing/turns.ts'
import { createVoices } from '../../../services/transcription/src/hearing/voices.ts'
import { createNativePool } from '../../../services/transcription/src/local-model/pool.ts'
import { createDetector } from '../../../services/transcription/src/local-model/silero.ts'
import { openModels } from '../../../services/transcription/src/models/folder.ts'
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
import { make } from './recordings.ts'
import { writeTables } from './scale-page.ts'
import { scored, wordsInMouths } from './speaker-scores.ts'

const { values: options } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    /** Only those whose names have this in them, without the tables. */
    only: { type: 'string', default: '' },
  },
})
const { MODEL_DIR = '.data/models', SPEAKER_MODEL } = process.env
const models = openModels({ folder: MODEL_DIR, named: 'whisper-tiny.en', voices: SPEAKER_MODEL })
const chosen = models.chosen()
if (!chosen || !models.voices()) throw new Error('whisper-tiny.en and a model of voices must be in MODEL_DIR')

const folder = await mkdtemp(join(tmpdir(), 'voxscribe-speakers-'))
const { signal } = new AbortController()
const pool = createNativePool(2)
const ffmpeg = createFfmpeg({ FFMPEG_TIMEOUT: 3_600_000 })
const detector = createDetector(pool, models)
/** The vectors of sounds that were compared before: another count groups the same ones. */
const embedded = new Map<string, Promise<unknown>>()
const remembering: typeof pool = {
  ...pool,
  run(task, options) {
    if (task.do !== 'embed') return pool.run(task, options)
    const key = `${task.path} ${task.windows[0]?.from}`
    const found = embedded.get(key) ?? pool.run(task, options)
    embedded.set(key, found)
    return found as ReturnType<typeof pool.run<typeof task>>
  },
}
const voices = createVoices(remembering, models)
const engine = createLocal(pool, chosen, models)

interface Told {
  sound: Sound
  turns: Turn[]
  isBySides: boolean
  /** To tell them apart, without decoding and looking for speech. */
  seconds: number
}

const opened = new Map<string, Promise<Sound>>()
function open(path: string): Promise<Sound> {
  const sound = opened.get(path) ?? read(path)
  opened.set(path, sound)
  return sound
}

async function read(path: string): Promise<Sound> {
  const samples = `${path}.samples`
  const measured = await ffmpeg.decode(path, { to: samples, signal })
  const speech = await Array.fromAsync(detector.speechIn(samples, measured, { signal }))
  return { ...measured, folder, original: path, samples, speech, detect: () => Readable.from(speech) }
}

/** Tells speakers apart as a note's are. */
async function tell(path: string, count: number | null): Promise<Told> {
  const sound = await open(path)
  const started = performance.now()
  const sides = sound.sides && (count ?? 2) === 2 ? turnsOfSides(sound.sides, sound.speech) : null
  const turns = sides ?? (await voices.turns(sound, { count, signal, progress: () => {} }))
  return { sound, turns, isBySides: sides !== null, seconds: (performance.now() - started) / 1000 }
}

async function linesOf(sound: Sound, turns: Turn[]) {
  const note = { _id: 'bench', attempt: 1, language: 'en', mime: null, parts: [] }
  const deps = { engine, savePart: async () => {}, usualLanguage: async () => 'en' }
  const { segments } = await listenTo(deps, note, sound, signal)
  return inTurns(segments, turns, 'en')
}

const found = (turns: Turn[]) => new Set(turns.map(({ speaker }) => speaker)).size
const percent = (share: number) => (100 * share).toFixed(1)
const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`
const table = (heads: string[], rows: (string | number)[][]) =>
  [heads, heads.map(() => '---'), ...rows].map(line)

const here = voicesHere()
const named = (name: string) => here.find(voice => voice.name === name)
const austen = named('Austen')!
const cards = named('Cards')!
const PAIRS = [
  ['Austen', 'Cards'],
  ['English', 'Austen'],
  ['French', 'Russian'],
  ['Italian', 'French'],
]
  .map(pair => pair.flatMap(name => named(name) ?? []))
  .filter(({ length }) => length === 2)
const LENGTHS: [number, number][] = [
  [1, 3],
  [3, 8],
  [8, 20],
]
const OVERLAPS = [0, 0.05, 0.15]
const SECONDS = 60
/** How loud each is in the other's channel: -26 dB. */
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

async function measure(conversation: Conversation, count: number | null, sum: Sum, isWritten: boolean) {
  const { said, path, seconds } = conversation
  const { turns, sound, seconds: took } = await tell(path, count)
  const scores = scored(said, turns)
  sum.speech += seconds
  sum.right += scores.right * seconds
  sum.turns += said.length
  sum.found += scores.turns
  sum.seconds += took
  sum.counts.push(found(turns))
  if (!isWritten) return
  const mouths = wordsInMouths(said, await linesOf(sound, turns), scores.speakers)
  sum.words += mouths.words
  sum.wrong += mouths.wrong
}

/** Conversations of two. */
async function conversations(): Promise<string[]> {
  const rows: (string | number)[][] = []
  for (const [how, count, leak] of [
    ['two channels', null, LEAK],
    ['one channel, "2"', 2, undefined],
    ['one channel, "I don’t know"', null, undefined],
  ] as const)
    for (const [least, most] of LENGTHS)
      for (const overlap of OVERLAPS) {
        const name = `${how}, turns of ${least} to ${most} s, overlap ${100 * overlap} %`
        if (!name.includes(options.only)) continue
        const sum: Sum = {
          speech: 0,
          right: 0,
          turns: 0,
          found: 0,
          words: 0,
          wrong: 0,
          seconds: 0,
          counts: [],
        }
        for (const pair of PAIRS) {
          const names = pair.map(each => each.name).join('-')
          const path = join(folder, `${names}-${most}-${overlap}-${leak ?? ''}.flac`)
          const plan = { voices: pair, turns: [least, most] as [number, number], overlap, seconds: SECONDS }
          const talk = converse(path, { ...plan, ...(leak !== undefined && { leak, leakAfter: 0.02 }) })
          await measure(
            talk,
            count,
            sum,
            pair.every(({ isWritten }) => isWritten),
          )
          if (options.only) console.log(pair.map(each => each.name).join(' and '), sum)
        }
        const { speech, right, words, wrong, seconds, counts } = sum
        rows.push([
          how,
          `${least} to ${most} s`,
          `${100 * overlap} %`,
          `${percent(right / speech)} %`,
          `${sum.found} of ${sum.turns}`,
          words ? `${wrong} of ${words}` : '–',
          `${counts.filter(each => each === 2).length} of ${counts.length}`,
          leak === undefined && count === null ? '–' : `${((60 * seconds) / speech).toFixed(1)} s`,
        ])
        console.log(line(rows.at(-1) ?? []))
      }
  const heads = ['channels', 'turns', 'overlap', 'speech with the right speaker', 'turns found']
  return table([...heads, 'words in the wrong mouth', 'two found', 'for a minute'], rows)
}

interface Odd {
  name: string
  count?: number
  /** Speakers that there are. */
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
/** Four chords over a beat, with a melody: no voice. */
const MUSIC =
  'aevalsrc=0.2*sin(2*PI*(131+33*floor(mod(t/2\\,4)))*t)+0.15*sin(2*PI*(165+41*floor(mod(t/2\\,4)))*t)+0.2*sin(2*PI*(262+65*floor(mod(3*t\\,5)))*t)*exp(-3*mod(3*t\\,1))+0.4*sin(2*PI*60*t)*exp(-12*mod(2*t\\,1))'
const two = (leak: number, leakAfter: number) => (path: string) =>
  converse(path, { voices: [austen, cards], turns: [2, 8], overlap: 0, seconds: 60, leak, leakAfter }).said
const six = (path: string) =>
  converse(path, {
    voices: here.slice(0, 6).map(voice => ({ ...voice, isWritten: false })),
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
    if (!name.includes(options.only)) continue
    const path = join(folder, `odd-${at}.flac`)
    const said = makeIt(path)
    const { turns, isBySides, seconds } = await tell(path, count)
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

const memoryOf = (pid: string | number) => {
  const [, peak = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(peak) / 1000)
}
const children = () =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)

/** Three hours. */
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
    const started = performance.now()
    const { turns, seconds } = await tell(path, null)
    const all = (performance.now() - started) / 1000
    const largest = Math.max(...children().map(memoryOf))
    rows.push([
      leak === undefined ? 'one' : 'two',
      found(turns),
      turns.length,
      `${(all - seconds).toFixed(0)} s`,
      `${seconds.toFixed(seconds < 10 ? 2 : 0)} s`,
      `${memoryOf(process.pid)} MB`,
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

console.log(`${here.map(({ name }) => name).join(', ')}; ${basename(models.voices()?.path ?? '')}`)
const tables: Record<string, string[]> = {
  conversations: await conversations(),
  odd: await oddOnes(),
  ...(options.long && { long: await longOnes() }),
}
pool.close()
await rm(folder, { recursive: true, force: true })
if (options.write && !options.only) await writeTables(tables, 'docs/speech.md')
