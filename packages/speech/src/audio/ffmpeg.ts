import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import bundled from '@ffmpeg-installer/ffmpeg'
import { DECODERS, DEMUXERS, hasClock } from '@voxscribe/contracts/media'
import { reason } from '@voxscribe/contracts/reasons'
import PQueue from 'p-queue'
import { Unworkable } from '../errors.ts'
import { onPath } from '../on-path.ts'
import { CORES } from '../settings.ts'
import { beginOf, clipFormatOf } from './clip.ts'
import { PART_BITS_PER_SECOND, SAMPLE_RATE, type Span, TooLong } from './levels.ts'
import { linksOf } from './links.ts'
import { lengthOfAll, readPieces } from './pieces.ts'
import { OUT_OF_TIME, outputOf, ProgramError } from './program.ts'
import { createTracks, type HeardTrack, type TrackSound, type TracksOptions } from './tracks.ts'

/** Options for reading uploads: no playlists, which name other files or addresses, and no pictures. */
const READERS = [
  '-protocol_whitelist',
  'file,subfile',
  '-format_whitelist',
  DEMUXERS,
  '-codec_whitelist',
  DECODERS,
]
/** Keeps all channels of tracks and the times of their samples, as one track may begin long after another. */
const TRACKS = ['-vn', '-sn', '-dn', '-c:a', 'pcm_s16le', '-ar', `${SAMPLE_RATE}`, '-f', 'matroska']
const LATE = ['-max_muxing_queue_size', '100000']
/** Maximum number of tracks: cameras record up to eight. */
const TRACKS_MAX = 8
const RAW = ['-f', 's16le', '-ar', `${SAMPLE_RATE}`, '-ac', '1']
const QUIET = ['-hide_banner', '-nostdin', '-v', 'error']
/** The lowest effort of libopus: a seventh of the default's time, and engines understand as much (decision 12). */
const OPUS = ['-c:a', 'libopus', '-b:a', `${PART_BITS_PER_SECOND}`, '-compression_level', '0', '-f', 'ogg']
/** Omits titles and places, so the bytes are the same each time. */
const ANONYMOUS = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact']
const COPY = [...ANONYMOUS, '-c', 'copy']
const CLIP = [...ANONYMOUS, '-c:a', 'libopus', '-b:a', '64k', '-ac', '2', '-f', 'ogg']
/** Seconds of packets that are listed to find the first one. */
const LISTED_SECONDS = 1
/** Loudness by EBU R 128. */
const EVEN = ['-af', 'loudnorm', ...RAW]

/** Programs that run at once: more than the cores, so that a long file leaves room for others. */
const CONCURRENCY = 2 * CORES

interface DecodeOptions extends Omit<TracksOptions, 'isClocked' | 'places'> {
  signal: AbortSignal
  /** MIME type of the file; null: unknown. */
  mime?: string | null | undefined
  /** The only track to decode; undefined: all. */
  track?: number | undefined
}

interface ClipOptions extends Span {
  mime: string | null
  /** Which track is heard and how; null: the file's only track, by its own stamps. */
  heardTrack?: HeardTrack | null | undefined
  folder: string
  signal: AbortSignal
}

/** A stretch of a file in its own file. `isCopy`: its packets are the original ones. */
export interface Clip {
  path: string
  ending: string
  isCopy: boolean
}

/** The system's ffmpeg, which is newer than the bundled one (2018). */
export const ffmpegCommand = () => onPath('ffmpeg') ?? bundled.path

/** Marks sound for which other programs may play a different track. */
const oneOfSeveral = (sound: TrackSound): TrackSound => ({ ...sound, mayPlayDifferently: true })

export type Ffmpeg = ReturnType<typeof createFfmpeg>

export function createFfmpeg(settings: { FFMPEG_PATH?: string | undefined; FFMPEG_TIMEOUT: number }) {
  const named = settings.FFMPEG_PATH ?? ffmpegCommand()
  // Resolved here, because it runs without a PATH.
  const path = onPath(named) ?? named

  /** Runs ffmpeg and yields its output. Limits its processor time, and the time that it may run without moving data. */
  async function* run(
    source: string | AsyncIterable<Buffer>,
    input: string[],
    output: string[],
    signal: AbortSignal,
    to = 'pipe:1',
  ): AsyncGenerator<Buffer> {
    const [from, stream] = typeof source === 'string' ? [source] : ['pipe:0', source]
    // The only use of fluent-ffmpeg, which is archived: it assembles the command line.
    const { default: fluent } = await import('fluent-ffmpeg')
    const command = fluent(from).inputOptions(...QUIET, ...input)
    command.output(to).outputOptions(...output)
    const args = command._getArguments()
    const stalled = new AbortController()
    const stop = () => stalled.abort(new Error('ffmpeg stood still'))
    const stallTimer = setTimeout(stop, settings.FFMPEG_TIMEOUT)
    const bounds = { cpuSeconds: Math.ceil(settings.FFMPEG_TIMEOUT / 1000) }
    const running = { signal: AbortSignal.any([signal, stalled.signal]), bounds, input: stream }
    try {
      for await (const chunk of outputOf(path, args, running)) {
        stallTimer.refresh()
        yield chunk
      }
    } finally {
      clearTimeout(stallTimer)
    }
  }

  const programs = new PQueue({ concurrency: CONCURRENCY })

  /** Runs programs as slots become free, short notes first. */
  const enqueue = <T>(work: () => Promise<T>, seconds: number, signal: AbortSignal): Promise<T> =>
    programs.add(
      () => {
        signal.throwIfAborted()
        return work()
      },
      { priority: -seconds },
    )

  const convert =
    (output: string[]) =>
    (samples: string, pieces: Span[], to: string, signal: AbortSignal): Promise<void> => {
      const convertAll = () =>
        pipeline(run(readPieces(samples, pieces), RAW, output, signal), createWriteStream(to))
      return enqueue(convertAll, lengthOfAll(pieces), signal)
    }

  /** Decodes tracks in one run. If their stamps prove wrong, ignores the stamps in a second run. */
  async function decodeTogether(
    from: string,
    places: number[],
    { signal, mime, ...options }: DecodeOptions,
    isClocked = hasClock(mime),
  ): Promise<TrackSound[]> {
    const links = await linksOf(from)
    const parts = links.length
      ? links.map(link => `subfile,,start,${link.from},end,${link.to},,:${from}`)
      : [from]
    const maps = places.flatMap((place, at) => ['-map', `0:a:${place}${at ? '?' : ''}`])
    const tracks = createTracks({ ...options, places, isClocked: isClocked && !links.length })
    try {
      for (const part of parts)
        await pipeline(run(part, READERS, [...maps, ...LATE, ...TRACKS], signal), tracks.read)
      if (!tracks.isClockWrong()) return await tracks.end()
    } catch (error) {
      if (!(error instanceof TooLong && tracks.isClockWrong())) throw error
    } finally {
      await tracks.close()
    }
    return decodeTogether(from, places, { signal, mime, ...options }, false)
  }

  /** Decodes tracks one by one, because one of them can't be read. */
  async function decodeEach(from: string, options: DecodeOptions, first: unknown): Promise<TrackSound[]> {
    const until = performance.now() + settings.FFMPEG_TIMEOUT
    const decoded: TrackSound[] = []
    let failure = first
    for (let place = 0; place < TRACKS_MAX && performance.now() < until; place++) {
      try {
        decoded.push(...(await decodeTogether(from, [place], options)))
      } catch (error) {
        if (place && isMissingTrack(error)) break
        if (!isTrackError(error)) throw asUnworkable(error)
        failure = error
      }
    }
    if (decoded.length) return decoded.map(oneOfSeveral)
    throw asUnworkable(failure)
  }

  async function decodeAll(from: string, options: DecodeOptions): Promise<TrackSound[]> {
    const { track } = options
    const places = track === undefined ? Array.from({ length: TRACKS_MAX }, (_, place) => place) : [track]
    try {
      const decoded = await decodeTogether(from, places, options)
      if (!decoded.length) throw new Unworkable(reason('no_audio_track'))
      return decoded.length > 1 || track !== undefined ? decoded.map(oneOfSeveral) : decoded
    } catch (error) {
      if (track !== undefined || !isTrackError(error)) throw asUnworkable(error)
      return decodeEach(from, options, error)
    }
  }

  async function copyClip(
    file: string,
    { mime, heardTrack, folder, from, to, signal }: ClipOptions,
  ): Promise<Clip | null> {
    const format = clipFormatOf(mime)
    if (!format || heardTrack?.isCounted) return null
    const track = ['-map', `0:a:${heardTrack?.place ?? 0}`]
    const near = ['-ss', from.toFixed(6), '-t', `${LISTED_SECONDS}`]
    const list = [...track, '-c', 'copy', '-f', 'framecrc']
    const begin = await beginOf(run(file, [...READERS, ...near], list, signal), from)
    if (begin === undefined) return null
    const path = join(folder, `clip${format.ending}`)
    const start = begin ? ['-ss', begin.toFixed(6)] : []
    const onlyFromThere = begin ? ['-copypriorss', '0'] : []
    const input = [...READERS, ...start, '-to', to.toFixed(6)]
    await text(run(file, input, [...track, ...COPY, ...onlyFromThere, '-f', format.muxer], signal, path))
    return { path, ending: format.ending, isCopy: true }
  }

  async function cutClip(file: string, options: ClipOptions): Promise<Clip> {
    const { folder, from, to, signal } = options
    const copied = await copyClip(file, options).catch(error => {
      if (asUnworkable(error) instanceof Unworkable) return null
      throw error
    })
    if (copied) return copied
    const path = join(folder, 'encoded.ogg')
    const clip = { path, ending: '.ogg', isCopy: false }
    const { mime, heardTrack } = options
    const place = heardTrack?.place ?? 0
    const encoded = (source: string | AsyncIterable<Buffer>, input: string[], track: number) =>
      text(run(source, input, ['-map', `0:a:${track}`, ...CLIP], signal, path))
    if (heardTrack?.isCounted) {
      const samples = join(folder, 'samples.raw')
      await decodeAll(file, { to: samples, signal, mime, track: place, keptSeconds: to })
      await encoded(readPieces(samples, [{ from, to }]), RAW, 0)
    } else await encoded(file, [...READERS, '-ss', from.toFixed(6), '-to', to.toFixed(6)], place)
    return clip
  }

  return {
    /** Decodes the tracks that have audio to 16 kHz mono, and measures them. Throws Unworkable or TooLong. */
    decode: (from: string, options: DecodeOptions): Promise<TrackSound[]> =>
      enqueue(() => decodeAll(from, options), options.keptSeconds ?? 0, options.signal),

    /** Cuts out a stretch of audio: copies its packets, or encodes it as Opus. Throws Unworkable if neither works. */
    clip: (file: string, options: ClipOptions): Promise<Clip> =>
      cutClip(file, options).catch(error => {
        throw asUnworkable(error)
      }),

    /** Writes pieces of decoded samples one after another, as Opus in Ogg. */
    encode: convert(OPUS),

    /** Writes pieces of decoded samples as samples of even loudness. */
    even: convert(EVEN),
  }
}

/** ffmpeg's codes for a signal and a full disk. Out of memory (244) is the file's fault, because memory is limited. */
const HOST_FAULTS = [255, 228]

/** Returns Unworkable if the file is at fault; otherwise (ffmpeg is missing or was killed) the error itself. */
function asUnworkable(error: unknown): unknown {
  if (!(error instanceof ProgramError) || error.code === null || HOST_FAULTS.includes(error.code))
    return error
  if (error.code === OUT_OF_TIME) return new Unworkable(reason('decoding_timed_out'))
  if (isMissingTrack(error)) return new Unworkable(reason('no_audio_track'))
  return new Unworkable(reason(UNKNOWN_KIND.test(error.stderr) ? 'kind_not_read' : 'unreadable_audio'))
}

/** ffmpeg's messages about a codec that it lacks, or lacks in this form: AAC-ELD, xHE-AAC. */
const UNKNOWN_KIND = /patches welcome|Decoder \(codec .*\) not found/i

const isMissingTrack = (error: unknown): boolean =>
  error instanceof ProgramError && /does not contain any stream|matches no streams/.test(error.stderr)

/** Whether ffmpeg opened the file but failed at one track, which it names: others may be intact. */
const isTrackError = (error: unknown): boolean =>
  error instanceof ProgramError &&
  error.code !== OUT_OF_TIME &&
  asUnworkable(error) instanceof Unworkable &&
  /#0:\d/.test(error.stderr)
