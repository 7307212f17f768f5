import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { PAID_MINUTES } from '@voxscribe/contracts/plans'
import { reason } from '@voxscribe/contracts/reasons'
import { type Blobs, inSpan, temporaryPlace } from '@voxscribe/service'
import { Unworkable } from '../failure.ts'
import { stageSeconds } from '../metrics.ts'
import { createDiskBudget, type Room } from './disk-budget.ts'
import type { Decoded, Ffmpeg } from './ffmpeg.ts'
import { loudness, type Measured, maybeSpoken, Outgrown, type Span } from './levels.ts'

export interface Detector {
  /** Stretches of speech in seconds, in order, each as soon as it is certain; fewer when aborted. */
  speechIn(samples: string, measured: Measured, options: DetectOptions): AsyncIterable<Span>
}

interface DetectOptions {
  signal: AbortSignal
  /** The end of the last stretch that is known: only later ones are returned. */
  after?: number | undefined
  /** Ends as soon as there certainly is speech. */
  onlyFirst?: boolean
}

/** A note's sound on this machine. */
export interface Sound extends Decoded {
  /** Temporary folder of the note. */
  folder: string
  /** Path of the uploaded file. */
  original: string
  /** File of its samples: 16 kHz, mono, 16-bit little-endian, no header. */
  samples: string
  /** Stretches of speech found so far, in order. */
  speech: Span[]
  /** All stretches of speech: those found so far, and the others as they are found. */
  detect(signal: AbortSignal): AsyncIterable<Span>
}

interface Note {
  _id: string
  objectKey: string | null
  /** The file itself, if it is not stored. */
  content?: Buffer
  /** A longer sound is refused; default: 1,000 minutes. */
  mostSeconds?: number
  bytes: number
  durationSeconds: number | null
  /** Spans of speech, if all are known: from, to, from, to. */
  spoken?: number[] | null
  /** Spans of speech that were known when a part was saved. */
  spokenSoFar?: number[]
}

const FOLDER_PREFIX = 'voxscribe-note-'

/** Billing replies at once and engines within minutes; an older note is decoded again. */
const KEPT_MS = 10 * 60_000

/** No plan has minutes for a longer note. */
const LONGEST_SECONDS = PAID_MINUTES * 60
/** In a longer note, measuring finds out only whether there is speech: engines begin while the rest is looked for. */
const DETECTED_SECONDS = 60
/** Seconds of samples allowed beyond the room of a note: short notes at a low bit rate are decoded once. */
const MORE_SECONDS = 300

interface Deps {
  blobs: Blobs
  ffmpeg: Pick<Ffmpeg, 'decode'>
  detector: Detector
  /** Disk that the sounds of all notes may take. */
  diskBytes: number
}

interface Open {
  sound: Omit<Sound, 'detect'>
  room: Room
  close(): Promise<void>
}

/** One pass over the audio of a note: its samples stay until the engine has processed them. */
export function createSounds({ blobs, ffmpeg, detector, diskBytes }: Deps) {
  /** Oldest first. */
  const kept = new Map<string, Open & { timer: NodeJS.Timeout }>()
  const disk = createDiskBudget(diskBytes, () => {
    const [oldest] = kept.keys()
    return oldest === undefined ? undefined : drop(oldest)
  })

  /** Takes room for so many bytes, then for the real length. Measuring finds all speech of a short note. */
  async function open(note: Note, signal: AbortSignal, isMeasuring = false): Promise<Open> {
    const room = await disk.take(note, signal)
    const { path: folder, remove } = temporaryPlace(FOLDER_PREFIX)
    const close = () => remove().finally(room.free)
    const keptSeconds = room.seconds + MORE_SECONDS
    let durationSeconds: number
    try {
      await mkdir(folder, { mode: 0o700 })
      const original = await fetchAudio(note, folder, signal)
      const samples = join(folder, 'samples.raw')
      const limits = { mostSeconds: note.mostSeconds ?? LONGEST_SECONDS, keptSeconds }
      const measured = await ffmpeg.decode(original, { to: samples, signal, ...limits })
      durationSeconds = measured.seconds
      const isWhole = durationSeconds <= keptSeconds
      if (isWhole || !maybeSpoken(measured).length) {
        const options = { signal, onlyFirst: durationSeconds > DETECTED_SECONDS }
        const found = isMeasuring && isWhole ? detector.speechIn(samples, measured, options) : []
        const speech = await Array.fromAsync(found)
        return { sound: { ...measured, folder, original, samples, speech }, room, close }
      }
    } catch (error) {
      await close()
      throw error instanceof Outgrown ? new Unworkable(reason('too_long_here')) : error
    }
    await close()
    return open({ ...note, durationSeconds }, signal, isMeasuring)
  }

  /** Copies a note's file to this machine: ffmpeg must seek in it (the index of an MP4 may be at the end). */
  async function fetchAudio({ objectKey, content }: Note, folder: string, signal: AbortSignal) {
    const path = join(folder, 'original')
    if (content) await writeFile(path, content, { signal })
    else if (!objectKey || !(await blobs.exists(objectKey))) throw new Unworkable(reason('audio_deleted'))
    else await pipeline(await blobs.read(objectKey), createWriteStream(path), { signal })
    return path
  }

  async function keep({ _id, bytes }: Note, opened: Open): Promise<void> {
    await drop(_id)
    const timer = setTimeout(() => void drop(_id).catch(() => {}), KEPT_MS).unref()
    kept.set(_id, { ...opened, timer })
    opened.room.fit({ bytes, durationSeconds: opened.sound.seconds })
  }

  function release(id: string): Open | undefined {
    const found = kept.get(id)
    clearTimeout(found?.timer)
    kept.delete(id)
    return found
  }

  async function drop(id: string): Promise<void> {
    await release(id)?.close()
  }

  return {
    /** Measures a note: length, waveform, and where a short one has speech; keeps its sound for `use`. */
    async measure(note: Note, signal: AbortSignal) {
      const ended = stageSeconds.startTimer({ stage: 'normalise' })
      const opened = await inSpan('normalise', () => open(note, signal, true))
      ended()
      const { seconds, levels, speech } = opened.sound
      const isSilent = !speech.length
      if (isSilent) await opened.close()
      else await keep(note, opened)
      const spoken = isSilent || seconds <= DETECTED_SECONDS ? bordersOf(speech) : null
      return {
        durationSeconds: seconds,
        isSilent,
        levels: waveform(levels),
        decibels: loudness(levels),
        spoken,
      }
    },

    /** Runs `work` with a note's sound, which is decoded again only when it was not kept. */
    async use<T>(note: Note, signal: AbortSignal, work: (sound: Sound) => Promise<T>): Promise<T> {
      const { sound, close } = release(note._id) ?? (await open(note, signal))
      const speech = spansOf(note.spoken ?? note.spokenSoFar ?? [])
      let isAll = Boolean(note.spoken)
      async function* detect(signal: AbortSignal) {
        yield* speech
        const rest = isAll
          ? []
          : detector.speechIn(sound.samples, sound, { signal, after: speech.at(-1)?.to })
        for await (const span of rest) {
          speech.push(span)
          yield span
        }
        isAll = !signal.aborted
      }
      try {
        return await work({ ...sound, speech, detect })
      } finally {
        await close()
      }
    },

    /** Deletes the sound of a note that is over, or that another process holds. */
    drop,

    kept: () => [...kept.keys()],

    async close() {
      await Promise.all([...kept.keys()].map(drop))
    },
  }
}

export type Sounds = ReturnType<typeof createSounds>

/** Spans as they are stored: from, to, from, to. */
export const bordersOf = (spans: Span[]) => spans.flatMap(({ from, to }) => [from, to])

export const spansOf = (spoken: number[]): Span[] =>
  spoken.flatMap((from, index) => (index % 2 ? [] : [{ from, to: spoken[index + 1] ?? from }]))

/** Values of the waveform on the page. */
const LEVELS_KEPT = 400

/** Peak of each stretch relative to the loudest, 0 to 1, to two decimals. */
function waveform(levels: number[]): number[] {
  const loudest = levels.reduce((most, level) => Math.max(most, level), 1)
  const count = Math.min(LEVELS_KEPT, levels.length)
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * levels.length) / count)
    const to = Math.floor(((index + 1) * levels.length) / count)
    return Math.round((Math.max(...levels.slice(from, to)) / loudest) * 100) / 100
  })
}
