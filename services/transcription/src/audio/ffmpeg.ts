import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import bundled from '@ffmpeg-installer/ffmpeg'
import { DECODERS, DEMUXERS } from '@voxscribe/contracts/media'
import { reason } from '@voxscribe/contracts/reasons'
import PQueue from 'p-queue'
import { Unworkable } from '../failure.ts'
import { onPath } from '../on-path.ts'
import { CORES } from '../settings.ts'
import { beginOf, clipFormatOf } from './clip.ts'
import {
  createMeter,
  type Measured,
  type MeterOptions,
  maybeSpoken,
  PART_BITS_PER_SECOND,
  SAMPLE_RATE,
  type Span,
} from './levels.ts'
import type { Sides } from './mixing.ts'
import { lengthOfAll, readPieces } from './pieces.ts'
import { OUT_OF_TIME, outputOf, ProgramError } from './program.ts'
import { createTrack } from './track.ts'

/** Uploads are read by these alone: no playlists, which name other files or addresses, and no pictures. */
const READERS = ['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS, '-codec_whitelist', DECODERS]
/** All channels of a track, and the times of its samples. */
const TRACK = ['-vn', '-sn', '-dn', '-c:a', 'pcm_s16le', '-ar', `${SAMPLE_RATE}`, '-f', 'matroska']
/** Cameras record up to eight tracks. */
const MOST_TRACKS = 8
const RAW = ['-f', 's16le', '-ar', `${SAMPLE_RATE}`, '-ac', '1']
const QUIET = ['-hide_banner', '-nostdin', '-v', 'error']
/** The least effort of libopus: a seventh of the time of its default, and engines understand as much (decision 0035). */
const OPUS = ['-c:a', 'libopus', '-b:a', `${PART_BITS_PER_SECOND}`, '-compression_level', '0', '-f', 'ogg']
/** Without titles and places, and the same bytes each time. */
const ANONYMOUS = ['-map', '0:a', '-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact']
const COPY = [...ANONYMOUS, '-c', 'copy']
/** For people's ears. */
const CLIP = [...ANONYMOUS, '-c:a', 'libopus', '-b:a', '64k', '-ac', '2', '-f', 'ogg']
/** Seconds of packets that are listed to find the first. */
const LISTED_SECONDS = 1
/** By EBU R 128. */
const EVEN = ['-af', 'loudnorm', ...RAW]

/** Programs at once: a long file leaves the others room. */
const AT_ONCE = 2 * CORES

interface DecodeOptions extends MeterOptions {
  to: string
  signal: AbortSignal
}

export interface Decoded extends Measured {
  /** Other programs may hear something else: they take another track, leave out gaps, or lose channels. */
  isChanged: boolean
  /** Levels of its two channels, where it has two. */
  sides?: Sides | null
}

interface ClipOptions extends Span {
  mime: string | null
  folder: string
  signal: AbortSignal
}

/** A stretch of a file in a file of its own. `isCopy`: its packets are the file's. */
export interface Clip {
  path: string
  ending: string
  isCopy: boolean
}

/** The system's ffmpeg, which is newer than the bundled one (2018). */
export const ffmpegCommand = () => onPath('ffmpeg') ?? bundled.path

export type Ffmpeg = ReturnType<typeof createFfmpeg>

export function createFfmpeg(settings: { FFMPEG_PATH?: string | undefined; FFMPEG_TIMEOUT: number }) {
  const named = settings.FFMPEG_PATH ?? ffmpegCommand()
  // Resolved here: it runs without a PATH.
  const path = onPath(named) ?? named

  /** Runs ffmpeg and yields its output. Limited by processor time; by the clock only while no data moves. */
  async function* run(
    source: string | AsyncIterable<Buffer>,
    input: string[],
    output: string[],
    signal: AbortSignal,
    to = 'pipe:1',
  ): AsyncGenerator<Buffer> {
    const [from, stream] = typeof source === 'string' ? [source] : ['pipe:0', source]
    // The one use of fluent-ffmpeg, which is archived: it puts the command line together.
    const { default: fluent } = await import('fluent-ffmpeg')
    const command = fluent(from).inputOptions(...QUIET, ...input)
    command.output(to).outputOptions(...output)
    const args = command._getArguments()
    const standsStill = new AbortController()
    const stop = () => standsStill.abort(new Error('ffmpeg stood still'))
    const still = setTimeout(stop, settings.FFMPEG_TIMEOUT)
    const bounds = { cpuSeconds: Math.ceil(settings.FFMPEG_TIMEOUT / 1000) }
    const running = { signal: AbortSignal.any([signal, standsStill.signal]), bounds, input: stream }
    try {
      for await (const chunk of outputOf(path, args, running)) {
        still.refresh()
        yield chunk
      }
    } finally {
      clearTimeout(still)
    }
  }

  const programs = new PQueue({ concurrency: AT_ONCE })

  /** Runs programs as cores are free, short notes first. */
  const inTurn = <T>(work: () => Promise<T>, seconds: number, signal: AbortSignal): Promise<T> =>
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
      return inTurn(convertAll, lengthOfAll(pieces), signal)
    }

  async function decodeTrack(from: string, number: number, { to, signal, ...options }: DecodeOptions) {
    const meter = createMeter(options)
    const track = createTrack(options.mostSeconds)
    const decoded = run(from, READERS, ['-map', `0:a:${number}`, ...TRACK], signal)
    await pipeline(decoded, track.tap, meter.tap, createWriteStream(to))
    return { ...meter.measured(), isChanged: number > 0 || track.isChanged(), sides: track.sides() }
  }

  async function decodeFirst(from: string, options: DecodeOptions): Promise<Decoded> {
    const until = performance.now() + settings.FFMPEG_TIMEOUT
    let silent: Decoded | undefined
    let failure: unknown = new Unworkable(reason('no_audio_track'))
    for (let number = 0; number < MOST_TRACKS && performance.now() < until; number++) {
      try {
        const decoded = await decodeTrack(from, number, options)
        if (maybeSpoken(decoded).length) return decoded
        if (decoded.levels.length) silent ??= decoded
      } catch (error) {
        if (number && isMissingTrack(error)) break
        if (!isOfTrack(error)) throw asUnworkable(error)
        failure = error
      }
    }
    if (silent) return silent
    throw asUnworkable(failure)
  }

  async function copyClip(
    file: string,
    { mime, folder, from, to, signal }: ClipOptions,
  ): Promise<Clip | null> {
    const format = clipFormatOf(mime)
    if (!format) return null
    const near = ['-ss', `${from}`, '-t', `${LISTED_SECONDS}`]
    const list = ['-map', '0:a:0', '-c', 'copy', '-f', 'framecrc']
    const begin = beginOf(await text(run(file, [...READERS, ...near], list, signal)), from)
    if (begin === undefined) return null
    const path = join(folder, `clip${format.ending}`)
    const start = begin ? ['-ss', begin.toFixed(6)] : []
    const onlyFromThere = begin ? ['-copypriorss', '0'] : []
    const input = [...READERS, ...start, '-to', `${to}`]
    await text(run(file, input, [...COPY, ...onlyFromThere, '-f', format.muxer], signal, path))
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
    await text(run(file, [...READERS, '-ss', `${from}`, '-to', `${to}`], CLIP, signal, path))
    return { path, ending: '.ogg', isCopy: false }
  }

  return {
    /** Decodes the first track that has sound to 16 kHz mono, and measures it. Throws Unworkable, or Outgrown. */
    decode: (from: string, options: DecodeOptions): Promise<Decoded> =>
      inTurn(() => decodeFirst(from, options), options.keptSeconds ?? 0, options.signal),

    /** Cuts a stretch of sound out: its packets, or encoded as Opus where such a file cannot be cut. */
    clip: (file: string, options: ClipOptions): Promise<Clip> =>
      inTurn(() => cutClip(file, options), options.to - options.from, options.signal),

    /** Writes pieces of decoded samples, one after the other, as Opus in Ogg. */
    encode: convert(OPUS),

    /** Writes pieces of decoded samples as samples of even loudness. */
    even: convert(EVEN),
  }
}

/** ffmpeg's codes for a signal and a full disk. No memory (244) is about the file, as memory is limited. */
const ABOUT_US = [255, 228]

/** Returns Unworkable if the error is about the file; otherwise (a missing or killed ffmpeg) the error. */
function asUnworkable(error: unknown): unknown {
  if (!(error instanceof ProgramError) || error.code === null || ABOUT_US.includes(error.code)) return error
  if (error.code === OUT_OF_TIME) return new Unworkable(reason('decoding_timed_out'))
  return new Unworkable(isMissingTrack(error) ? reason('no_audio_track') : reason('unreadable_audio'))
}

const isMissingTrack = (error: unknown): boolean =>
  error instanceof ProgramError && /does not contain any stream|matches no streams/.test(error.stderr)

/** Whether ffmpeg opened the file and failed at one track, which it names: another may be whole. */
const isOfTrack = (error: unknown): boolean =>
  error instanceof ProgramError &&
  error.code !== OUT_OF_TIME &&
  asUnworkable(error) instanceof Unworkable &&
  /#0:\d/.test(error.stderr)
