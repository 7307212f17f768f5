// Conversations with known speakers and words: real recordings of different readers, in sequence or overlapping.
import { execFileSync } from 'node:child_process'
import { globSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ffmpegCommand } from '../../../packages/speech/src/audio/ffmpeg.ts'
import type { Span } from '../../../packages/speech/src/audio/levels.ts'
import { make, recordings, wordsOf } from './recordings.ts'

const RATE = 16_000
/** Loudness to which all readers are adjusted: -23 dB of full scale. */
const LEVEL = 10 ** (-23 / 20)
/** Share of the peak below which the ends of a clip count as silence. */
const SILENT = 0.05
const STEP = RATE / 100
/** Pause between two turns that do not overlap, in seconds. */
const PAUSE = 0.2

interface Clip {
  sound: Float32Array
  words: string[]
}
export interface Voice {
  name: string
  isWritten: boolean
  clips: Clip[]
}
export interface Said extends Span {
  voice: string
  words: string[]
}
export interface Conversation {
  path: string
  /** Whether the spoken words are known. */
  isWritten: boolean
  said: Said[]
  seconds: number
}

function read(path: string, ...format: string[]): Float32Array {
  const args = ['-v', 'error', ...format, '-i', path, '-f', 's16le', '-ar', `${RATE}`, '-ac', '1', '-']
  const bytes = execFileSync(ffmpegCommand(), args, { maxBuffer: 2 ** 28 })
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1)
  return levelled(Float32Array.from(samples, sample => sample / 32_768))
}

const loudnessOf = (sound: Float32Array) =>
  Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, sound.length))

/** Trims silence from both ends, and gives all clips the same loudness. */
function levelled(sound: Float32Array): Float32Array {
  const limit = SILENT * sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const isLoud = (sample: number) => Math.abs(sample) > limit
  const [first, last] = [sound.findIndex(isLoud), sound.findLastIndex(isLoud)]
  const cut = sound.slice(Math.max(0, first - STEP), last + STEP)
  const gain = LEVEL / Math.max(1e-6, loudnessOf(cut))
  return cut.map(sample => Math.max(-1, Math.min(1, sample * gain)))
}

const DATA = '/usr/share/pocketsphinx/test/data'
/** Folder of Debian's asterisk-core-sounds-*-g722 and tuxpaint-stamps-default, installed or unpacked (`dpkg -x`). */
const ROOT = process.env.SOUNDS_ROOT ?? '/'
const PROMPTS: Record<string, string> = {
  English: 'en_US_f_Allison',
  'English in Spanish': 'es_MX_f_Allison',
  French: 'fr_CA_f_June',
  Italian: 'it_IT_m_Carlo',
  Russian: 'ru_RU_f_IvrvoiceRU',
}
/** Minimum bytes of a prompt (3 s) and of a child's clip (2 s), and the number of clips used per voice. */
const [PROMPT_BYTES, STAMP_BYTES, CLIPS_TAKEN] = [24_000, 20_000, 12]

/** Returns the readers on this machine: at least two women and two men, three of them with known words. */
export function voicesHere(): Voice[] {
  const raw = ['-f', 's16le', '-ar', `${RATE}`, '-ac', '1']
  const written = (folder: string): Clip[] =>
    recordings
      .filter(({ path }) => basename(dirname(path)) === folder)
      .map(({ path, words }) => ({ sound: read(path), words }))
  const orders = [
    ['goforward', 'go forward ten meters'],
    ['something', 'go somewhere and do something'],
    ['numbers', ''],
  ] as const
  const unwritten = (name: string, pattern: string, leastBytes: number, ...format: string[]) => {
    const paths = globSync(join(ROOT, 'usr/share', pattern)).sort()
    const long = paths.filter(path => statSync(path).size >= leastBytes).slice(0, CLIPS_TAKEN)
    const clips = long.map(path => ({ sound: read(path, ...format), words: [] }))
    return clips.length ? [{ name, isWritten: false, clips }] : []
  }
  const prompts = Object.entries(PROMPTS).flatMap(([name, folder]) =>
    unwritten(name, `asterisk/sounds/${folder}/*.g722`, PROMPT_BYTES, '-f', 'g722'),
  )
  return [
    { name: 'Austen', isWritten: true, clips: written('librivox') },
    { name: 'Cards', isWritten: true, clips: written('cards') },
    {
      name: 'Orders',
      isWritten: false,
      clips: orders.map(([name, text]) => ({
        sound: read(join(DATA, `${name}.raw`), ...raw),
        words: wordsOf(text),
      })),
    },
    ...prompts,
    ...unwritten('Spanish', 'tuxpaint/stamps/**/*_desc_es.ogg', STAMP_BYTES),
  ]
}

/** Returns a generator of numbers from 0 to 1 that are the same in every run. */
export function createRandom(seed = 1) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

/** Repeats a voice's clips in order until a turn is long enough, then cuts it there unless its words count. */
function createReader({ clips, isWritten }: Voice) {
  let at = 0
  return (seconds: number): Clip => {
    const taken: Clip[] = []
    const lengthOf = () => taken.reduce((sum, { sound }) => sum + sound.length, 0)
    do taken.push(clips[at++ % clips.length]!)
    while (lengthOf() < (isWritten ? seconds - 1 : seconds) * RATE)
    const sound = new Float32Array(lengthOf())
    let end = 0
    for (const clip of taken) {
      sound.set(clip.sound, end)
      end += clip.sound.length
    }
    const words = taken.flatMap(clip => clip.words)
    return isWritten ? { sound, words } : { sound: sound.slice(0, Math.round(seconds * RATE)), words }
  }
}

interface Plan {
  voices: Voice[]
  /** Minimum and maximum length of a turn, in seconds. */
  turns: [least: number, most: number]
  /** Share of a turn that overlaps the previous one. */
  overlap: number
  seconds: number
  /** Loudness of the other side on each of two channels; undefined: one channel. */
  leak?: number
  /** Seconds after which the other side is heard. */
  leakAfter?: number
}

/** Writes a conversation in which the voices take turns; with two channels, each voice on its own. */
export function converse(path: string, plan: Plan, seed = 7): Conversation {
  const { voices, turns, overlap, seconds, leak, leakAfter = 0 } = plan
  const random = createRandom(seed)
  const readers = voices.map(createReader)
  const sides = voices.map(() => new Float32Array(Math.ceil((seconds + 2 * turns[1] + 30) * RATE)))
  const said: Said[] = []
  let free = 0
  for (let turn = 0; free < seconds; turn++) {
    const voice = turn % voices.length
    const wanted = turns[0] + random() * (turns[1] - turns[0])
    const { sound, words } = readers[voice]!(wanted)
    const length = sound.length / RATE
    const from = turn ? Math.max(0, overlap ? free - overlap * length : free + PAUSE) : 0
    sides[voice]?.set(sound, Math.round(from * RATE))
    said.push({ voice: voices[voice]?.name ?? '', from, to: from + length, words })
    free = from + length
  }
  const length = Math.ceil(free * RATE)
  const heard = (channel: number) => (at: number) => {
    const own = sides[channel]?.[at] ?? 0
    const other = sides[1 - channel]?.[at - Math.round(leakAfter * RATE)] ?? 0
    return own + (leak ?? 0) * other
  }
  const channels =
    leak === undefined
      ? [(at: number) => sides.reduce((sum, side) => sum + (side[at] ?? 0), 0)]
      : [heard(0), heard(1)]
  write(path, length, channels)
  return { path, isWritten: voices.every(voice => voice.isWritten), said, seconds: free }
}

/** Writes a file from functions that return each channel's sample. */
export function write(path: string, length: number, channels: ((at: number) => number)[]): void {
  const samples = new Int16Array(length * channels.length)
  for (let at = 0; at < length; at++)
    for (const [channel, valueAt] of channels.entries())
      samples[at * channels.length + channel] = Math.round(32_767 * Math.max(-1, Math.min(1, valueAt(at))))
  const raw = `${path}.raw`
  writeFileSync(raw, Buffer.from(samples.buffer))
  make('-f', 's16le', '-ar', `${RATE}`, '-ac', `${channels.length}`, '-i', raw, path)
}

/** Returns the samples of a voice that speaks for `seconds`. */
export const soloOf = (voice: Voice, seconds: number) =>
  createReader({ ...voice, isWritten: false })(seconds).sound
