import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { BYTES_PER_SECOND, createMeter, type Measured } from './levels.ts'
import { createMatroskaReader } from './matroska.ts'
import type { Sides } from './mixing.ts'
import { createTrack, type TrackOptions } from './track.ts'

/** Pieces of sound written at once. */
const PIECES_PER_WRITE = 100

export interface TracksOptions extends TrackOptions {
  /** Positions of the file's tracks, from 0, in the order of ffmpeg's output. */
  places: number[]
  /** Path of the first track's samples; the others are next to it. */
  to: string
  /** Seconds that are written, of all tracks together; the rest is only measured. */
  keptSeconds?: number
}

export interface TrackSound extends Measured {
  /** Its position among the file's audio tracks, from 0. */
  place: number
  samples: string
  /** Whether other programs may play something else. */
  mayPlayDifferently: boolean
  /** Whether its times are counted in samples, because its stamps differ from them. */
  isCounted: boolean
  /** Levels of its two channels; null unless it has two. */
  sides: Sides | null
}

/** How a note's file is heard, unless it is just its only track by its own stamps. */
export interface HeardTrack {
  /** The track's position among the audio tracks, from 0. */
  place: number
  /** Positions of the other tracks with speech. */
  unheard: number[]
  /** Whether times are counted in samples, because the file's stamps differ from them. */
  isCounted: boolean
}

/** Turns ffmpeg's Matroska output into a file of samples per track. */
export function createTracks({ places, to, keptSeconds = Infinity, ...options }: TracksOptions) {
  const tracks = new Map<number, Awaited<ReturnType<typeof openTrack>>>()
  let bytesLeft = keptSeconds * BYTES_PER_SECOND

  async function openTrack(place: number) {
    const path = place ? `${to}-${place}` : to
    const file = await open(path, 'w')
    const [track, meter] = [createTrack(options), createMeter(options.maxSeconds)]
    let waiting: Buffer[] = []
    return {
      track,
      file,
      add: (sound: Buffer) => waiting.push(sound) >= PIECES_PER_WRITE,
      async write(): Promise<void> {
        const sound = Buffer.concat(waiting)
        waiting = []
        meter.add(sound)
        const kept = sound.subarray(0, Math.max(0, bytesLeft))
        bytesLeft -= kept.length
        if (kept.length) await writeAll(file, kept)
      },
      measured: (): TrackSound => ({
        ...meter.measured(),
        place,
        samples: path,
        mayPlayDifferently: track.mayPlayDifferently(),
        isCounted: track.stampsDiffer(),
        sides: track.sides(),
      }),
    }
  }

  async function trackOf(number: number) {
    const place = places[number - 1]
    if (place === undefined) return undefined
    const track = tracks.get(place) ?? (await openTrack(place))
    tracks.set(place, track)
    return track
  }

  return {
    /** Reads all of ffmpeg's output, as the end of a pipeline. */
    async read(source: AsyncIterable<Buffer>): Promise<void> {
      const framesIn = createMatroskaReader()
      for await (const chunk of source) {
        for (const frame of framesIn(chunk)) {
          const found = await trackOf(frame.track)
          for (const sound of found?.track.add(frame) ?? []) {
            if (!found?.add(sound)) continue
            await found.write()
            // One frame may follow hours of silence, which needs no reading, so this lets other work run.
            await setImmediate()
          }
        }
        for (const { write } of tracks.values()) await write()
      }
    },
    async end(): Promise<TrackSound[]> {
      for (const { track, add, write } of tracks.values()) {
        for (const sound of track.end()) add(sound)
        await write()
      }
      const inOrder = [...tracks].sort(([one], [other]) => one - other)
      return inOrder.map(([, track]) => track.measured()).filter(({ levels }) => levels.length)
    },
    isClockWrong: () => [...tracks.values()].some(({ track }) => track.isClockWrong()),
    close: () => Promise.all([...tracks.values()].map(({ file }) => file.close())),
  }
}

async function writeAll(file: FileHandle, data: Buffer): Promise<void> {
  for (let at = 0; at < data.length; ) at += (await file.write(data, at)).bytesWritten
}
