import { join } from 'node:path'
import { PAID_MINUTES } from '@voxscribe/contracts/business'
import { type Blobs, inSpan, type TemporaryPlace } from '@voxscribe/service'
import { Unworkable } from '../failure.ts'
import { stageSeconds } from '../metrics.ts'
import { TOO_LONG_HERE } from '../reasons.ts'
import { type Detector, maybeSpoken } from './detector.ts'
import type { DiskBudget, Room } from './disk-budget.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { type Measured, Outgrown } from './levels.ts'
import type { Span } from './span.ts'
import { fetchAudio, newFolder } from './workspace.ts'

/** A note's sound on this machine. */
export interface Sound extends Measured {
  /** A folder of this note's own, deleted afterwards. */
  folder: string
  /** The file as it came. */
  original: string
  /** File of its samples: 16 kHz, mono, 16-bit little-endian, no header. */
  samples: string
  /** Stretches of speech, in order. */
  speech: Span[]
}

interface Note {
  _id: string
  objectKey: string | null
  bytes: number
  durationSeconds: number | null
  /** Spans of speech, if the detector has found them before: from, to, from, to. */
  spoken?: number[] | null
}

/** Facts about a note's sound that are stored. */
interface Length {
  durationSeconds: number
  isSilent: boolean
  levels: number[]
  spoken: number[]
}

export interface Sounds {
  /** Finds out a note's real length and whether anyone speaks, and keeps its sound for `use` while there is room. */
  measure(note: Note, signal: AbortSignal): Promise<Length>
  /** Does work with a note's sound, which is decoded again only when it was not kept. */
  use<T>(note: Note, signal: AbortSignal, work: (sound: Sound) => Promise<T>): Promise<T>
  /** Deletes what is kept of a note that is over, or in other hands. */
  drop(id: string): Promise<void>
  /** Deletes all that is kept. */
  close(): Promise<void>
}

/** Billing answers at once and engines within minutes: what is older is decoded again. */
const KEPT_MS = 10 * 60_000

/** No plan has more minutes than this: a longer note could never be paid. */
const LONGEST_SECONDS = PAID_MINUTES * 60
/** Seconds that a note may take beyond its room: short notes of few bits are decoded once. */
const MORE_SECONDS = 300

interface Known {
  spoken?: number[] | null
  mostSeconds?: number
  keptSeconds?: number
}

/** Decodes a file, and finds its speech unless it is known, while it is there. Throws Outgrown as `decode` does. */
export async function readSound(
  { ffmpeg, detector }: { ffmpeg: Ffmpeg; detector: Detector },
  original: string,
  folder: string,
  signal: AbortSignal,
  { spoken, ...most }: Known = {},
): Promise<Sound> {
  const samples = join(folder, 'samples.raw')
  const measured = await ffmpeg.decode(original, { to: samples, signal, ...most })
  const isWhole = measured.seconds <= (most.keptSeconds ?? measured.seconds)
  const speechIn = () => (isWhole ? detector.speechIn(samples, measured, signal) : maybeSpoken(measured))
  const speech = spoken ? spansOf(spoken) : await speechIn()
  if (!isWhole && speech.length) throw new Longer(measured.seconds)
  return { ...measured, folder, original, samples, speech }
}

/** A file holds more sound than there was room for. */
class Longer extends Error {
  readonly seconds: number
  constructor(seconds: number) {
    super(`It lasts ${seconds} s`)
    this.seconds = seconds
  }
}

interface Deps {
  blobs: Blobs
  ffmpeg: Ffmpeg
  detector: Detector
  disk: DiskBudget
}

interface Open {
  sound: Sound
  room: Room
  close(): Promise<void>
}

/** One pass over the audio of a note: its samples stay until the engine has heard them. */
export function createSounds({ blobs, ffmpeg, detector, disk }: Deps): Sounds {
  const kept = new Map<string, Open & { timer: NodeJS.Timeout }>()

  /** Begins with room for what speech of that many bytes would take; its real length is known if it is longer. */
  async function open(note: Note, signal: AbortSignal): Promise<Open> {
    const room = await disk.take(note, signal)
    try {
      return await openIn(room, note, signal)
    } catch (error) {
      if (error instanceof Outgrown) throw new Unworkable(TOO_LONG_HERE)
      if (!(error instanceof Longer)) throw error
      return open({ ...note, durationSeconds: error.seconds }, signal)
    }
  }

  async function openIn(room: Room, note: Note, signal: AbortSignal): Promise<Open> {
    let place: TemporaryPlace | undefined
    async function close() {
      try {
        await place?.remove()
      } finally {
        room.free()
      }
    }
    try {
      place = await newFolder()
      const original = await fetchAudio(blobs, note.objectKey, place.path, signal)
      const sound = await readSound({ ffmpeg, detector }, original, place.path, signal, {
        spoken: note.spoken ?? null,
        mostSeconds: LONGEST_SECONDS,
        keptSeconds: room.seconds + MORE_SECONDS,
      })
      return { sound, room, close }
    } catch (error) {
      await close()
      throw error
    }
  }

  async function keep({ _id, bytes }: Note, opened: Open): Promise<void> {
    const leave = () => drop(_id)
    await leave()
    kept.set(_id, { ...opened, timer: setTimeout(() => void leave().catch(() => {}), KEPT_MS).unref() })
    opened.room.lend({ bytes, durationSeconds: opened.sound.seconds }, leave)
  }

  function release(id: string): Open | undefined {
    const found = kept.get(id)
    clearTimeout(found?.timer)
    kept.delete(id)
    found?.room.claim()
    return found
  }

  async function drop(id: string): Promise<void> {
    await release(id)?.close()
  }

  return {
    async measure(note, signal) {
      const ended = stageSeconds.startTimer({ stage: 'normalise' })
      const opened = await inSpan('normalise', () => open(note, signal))
      ended()
      const { seconds, levels, speech } = opened.sound
      if (speech.length) await keep(note, opened)
      else await opened.close()
      const spoken = speech.flatMap(({ from, to }) => [from, to])
      return { durationSeconds: seconds, isSilent: !speech.length, levels: waveform(levels), spoken }
    },

    async use(note, signal, work) {
      const { sound, close } = release(note._id) ?? (await open(note, signal))
      try {
        return await work(sound)
      } finally {
        await close()
      }
    },

    drop,

    async close() {
      await Promise.all([...kept.keys()].map(drop))
    },
  }
}

const spansOf = (spoken: number[]): Span[] =>
  spoken.flatMap((from, index) => (index % 2 ? [] : [{ from, to: spoken[index + 1] ?? from }]))

/** Enough for a picture of the note. */
const LEVELS_KEPT = 400

/** The loudest of each stretch, 0 to 1 of the loudest of all, to two decimals. */
function waveform(levels: number[]): number[] {
  const loudest = levels.reduce((most, level) => Math.max(most, level), 1)
  const count = Math.min(LEVELS_KEPT, levels.length)
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * levels.length) / count)
    const to = Math.floor(((index + 1) * levels.length) / count)
    return Math.round((Math.max(...levels.slice(from, to)) / loudest) * 100) / 100
  })
}
