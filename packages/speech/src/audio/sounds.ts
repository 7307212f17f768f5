import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { PLANS } from '@voxscribe/contracts/plans'
import { reason } from '@voxscribe/contracts/reasons'
import { Unworkable } from '../errors.ts'
import type { Host } from '../host.ts'
import { createDiskBudget, type Room } from './disk-budget.ts'
import type { Clip, Ffmpeg } from './ffmpeg.ts'
import { loudness, type Measured, maybeSpoken, type Span, TooLong } from './levels.ts'
import { lengthOfAll } from './pieces.ts'
import type { HeardTrack, TrackSound } from './tracks.ts'

export interface Detector {
  /** Yields stretches of speech in seconds, in order, each once it is certain; ends early when aborted. */
  speechIn(samples: string, measured: Measured, options: DetectOptions): AsyncIterable<Span>
}

interface DetectOptions {
  signal: AbortSignal
  /** The end of the last known stretch: only later ones are returned. */
  after?: number | undefined
  /** Stops once there certainly is speech. */
  onlyFirst?: boolean
}

export interface Sound
  extends Measured,
    Pick<TrackSound, 'samples' | 'mayPlayDifferently'>,
    Partial<Pick<TrackSound, 'sides'>> {
  folder: string
  /** Path of the uploaded file. */
  original: string
  /** Stretches of speech found so far, in order. */
  speech: Span[]
  /** Yields all stretches of speech: the known ones, then the others as they are found. */
  detect(signal: AbortSignal): AsyncIterable<Span>
}

interface Note {
  _id: string
  objectKey: string | null
  /** The file's content, if it isn't stored. */
  content?: Buffer
  /** Longer audio is refused; default: 1,000 minutes. */
  maxSeconds?: number
  bytes: number
  mime?: string | null
  heardTrack?: HeardTrack | null
  durationSeconds: number | null
  /** All spans of speech, if they are known: from, to, from, to. */
  spoken?: number[] | null
  /** Spans of speech that were known when a part was saved. */
  spokenSoFar?: number[]
}

/** An earlier track is chosen if it has at least this share of the speech of the track with the most. */
const NEARLY_AS_MUCH = 0.9

function heardTrackOf({ place, isCounted }: TrackSound, unheard: number[]): HeardTrack | null {
  return place || isCounted || unheard.length ? { place, unheard, isCounted } : null
}

const FOLDER_PREFIX = 'voxscribe-note-'

/** Billing replies at once and engines within minutes; after that, a note is decoded again. */
const KEPT_MS = 10 * 60_000

/** No plan has enough minutes for a longer note. */
const LONGEST_SECONDS = PLANS.monthly.minutes * 60
/** In a longer note, measuring only checks for any speech; the rest is found while engines work. */
const DETECTED_SECONDS = 60
/** Seconds of samples allowed beyond a note's reserved space, so short notes at low bit rates are decoded once. */
const MORE_SECONDS = 300

interface Deps extends Pick<Host, 'files' | 'temporaryFolder'> {
  ffmpeg: Pick<Ffmpeg, 'decode' | 'clip'>
  detector: Detector
  /** Bytes on disk that the audio of all notes may take. */
  diskBytes: number
}

/** The chosen track of a file. */
interface Chosen {
  /** Null: the file's only track, by its own stamps. */
  heardTrack: HeardTrack | null
  isAllSpeech: boolean
}

interface Open {
  sound: Omit<Sound, 'detect'> & Chosen
  room: Room
  close(): Promise<void>
}

/** Opens the audio of notes once: decoded samples stay until the engine has processed them. */
export function createSounds({ files, temporaryFolder, ffmpeg, detector, diskBytes }: Deps) {
  /** Oldest first. */
  const kept = new Map<string, Open & { timer: NodeJS.Timeout }>()
  const disk = createDiskBudget(diskBytes, () => {
    const [oldest] = kept.keys()
    return oldest === undefined ? undefined : drop(oldest)
  })

  /** Reserves space for the estimated bytes, then for the real length. Measuring finds all speech of a short note. */
  async function open(note: Note, signal: AbortSignal, isMeasuring = false): Promise<Open> {
    const room = await disk.take(note, signal)
    const folder = join(temporaryFolder(), `${FOLDER_PREFIX}${randomUUID()}`)
    const close = () => rm(folder, { recursive: true, force: true }).finally(room.free)
    const keptSeconds = room.seconds + MORE_SECONDS
    let durationSeconds: number
    try {
      await mkdir(folder, { mode: 0o700 })
      const original = await fetchAudio(note, folder, signal)
      const limits = { maxSeconds: note.maxSeconds ?? LONGEST_SECONDS, keptSeconds }
      const from = { mime: note.mime, track: note.heardTrack?.place }
      const tracks = await ffmpeg.decode(original, {
        to: join(folder, 'samples.raw'),
        signal,
        ...from,
        ...limits,
      })
      durationSeconds = tracks.reduce((sum, { seconds }) => sum + seconds, 0)
      const isWhole = durationSeconds <= keptSeconds
      if (isWhole || !tracks.some(track => maybeSpoken(track).length)) {
        const heard = await choose(tracks, note, isMeasuring && isWhole, signal)
        for (const { samples } of tracks) if (samples !== heard.samples) await rm(samples)
        return { sound: { ...heard, folder, original }, room, close }
      }
    } catch (error) {
      await close()
      throw error instanceof TooLong ? new Unworkable(reason('too_long_here')) : error
    }
    await close()
    return open({ ...note, durationSeconds }, signal, isMeasuring)
  }

  /** Chooses the track with the most speech, or an earlier one with nearly as much. */
  async function choose(tracks: TrackSound[], note: Note, isDetecting: boolean, signal: AbortSignal) {
    const candidates = tracks.filter(track => maybeSpoken(track).length)
    const [first = tracks[0]!, ...others] = candidates
    if (!isDetecting || !others.length) {
      const options = { signal, onlyFirst: first.seconds > DETECTED_SECONDS }
      const speech = await Array.fromAsync(
        isDetecting ? detector.speechIn(first.samples, first, options) : [],
      )
      const heardTrack = note.heardTrack ?? heardTrackOf(first, [])
      return { ...first, speech, isAllSpeech: first.seconds <= DETECTED_SECONDS, heardTrack }
    }
    const spoken: { track: TrackSound; speech: Span[] }[] = []
    for (const track of candidates) {
      const speech = await Array.fromAsync(detector.speechIn(track.samples, track, { signal }))
      spoken.push({ track, speech })
    }
    const most = Math.max(...spoken.map(({ speech }) => lengthOfAll(speech)))
    const { track, speech } = spoken.find(({ speech }) => lengthOfAll(speech) >= most * NEARLY_AS_MUCH)!
    const unheard = spoken.filter(other => other.speech.length && other.track !== track)
    const heardTrack = heardTrackOf(
      track,
      unheard.map(other => other.track.place),
    )
    return { ...track, speech, isAllSpeech: true, heardTrack }
  }

  /** Copies a note's file to this machine, because ffmpeg must seek in it (an MP4's index may be at the end). */
  async function fetchAudio({ objectKey, content }: Note, folder: string, signal: AbortSignal) {
    const path = join(folder, 'original')
    if (content) await writeFile(path, content, { signal })
    else if (!objectKey || !(await files.exists(objectKey))) throw new Unworkable(reason('audio_deleted'))
    else await pipeline(await files.read(objectKey), createWriteStream(path), { signal })
    return path
  }

  /** Stores the heard track alone. Returns null if players pick it anyway, or if it couldn't be extracted. */
  async function storeHeardTrack<T>(
    { mime = null }: Note,
    { folder, original, seconds, heardTrack }: Open['sound'],
    signal: AbortSignal,
    store: (clip: Clip) => Promise<T>,
  ): Promise<T | null> {
    if (!heardTrack?.place) return null
    const options = { from: 0, to: seconds, mime, heardTrack, folder, signal }
    const clip = await ffmpeg.clip(original, options).catch(() => null)
    signal.throwIfAborted()
    return clip && store(clip)
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
    /**
     * Measures a note: length, waveform, and the speech of a short note; keeps its audio for `use`. `store` receives
     * the heard track alone if players would play another one.
     */
    async measure<T>(note: Note, signal: AbortSignal, store: (clip: Clip) => Promise<T>) {
      const opened = await open(note, signal, true)
      const { seconds, levels, speech, isAllSpeech, heardTrack } = opened.sound
      const isSilent = !speech.length
      let played: T | null = null
      try {
        if (!isSilent) played = await storeHeardTrack(note, opened.sound, signal, store)
      } catch (error) {
        await opened.close()
        throw error
      }
      if (isSilent) await opened.close()
      else await keep(note, opened)
      const spoken = isSilent || isAllSpeech ? bordersOf(speech) : null
      return {
        durationSeconds: seconds,
        isSilent,
        levels: waveform(levels),
        decibels: loudness(levels),
        spoken,
        heardTrack,
        played,
      }
    },

    /** Runs `work` with a note's audio, which is decoded again only if it wasn't kept. */
    async use<T>(note: Note, signal: AbortSignal, work: (sound: Sound) => Promise<T>): Promise<T> {
      const { sound, close } = release(note._id) ?? (await open(note, signal))
      const speech = spansOf(note.spoken ?? note.spokenSoFar ?? [])
      let isComplete = Boolean(note.spoken)
      async function* detect(signal: AbortSignal) {
        yield* speech
        const rest = isComplete
          ? []
          : detector.speechIn(sound.samples, sound, { signal, after: speech.at(-1)?.to })
        for await (const span of rest) {
          speech.push(span)
          yield span
        }
        isComplete = !signal.aborted
      }
      try {
        return await work({ ...sound, speech, detect })
      } finally {
        await close()
      }
    },

    /** Deletes the audio of a note that has ended, or that another process holds. */
    drop,

    kept: () => [...kept.keys()],

    async close() {
      await Promise.all([...kept.keys()].map(drop))
    },
  }
}

export type Sounds = ReturnType<typeof createSounds>

/** Flattens spans for storage: from, to, from, to. */
export const bordersOf = (spans: Span[]) => spans.flatMap(({ from, to }) => [from, to])

export const spansOf = (spoken: number[]): Span[] =>
  spoken.flatMap((from, index) => (index % 2 ? [] : [{ from, to: spoken[index + 1] ?? from }]))

/** Number of values in the page's waveform. */
const LEVELS_KEPT = 400

/** Returns the peak of each stretch relative to the loudest, 0 to 1, with two decimals. */
function waveform(levels: number[]): number[] {
  const loudest = levels.reduce((most, level) => Math.max(most, level), 1)
  const count = Math.min(LEVELS_KEPT, levels.length)
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * levels.length) / count)
    const to = Math.floor(((index + 1) * levels.length) / count)
    return Math.round((Math.max(...levels.slice(from, to)) / loudest) * 100) / 100
  })
}
