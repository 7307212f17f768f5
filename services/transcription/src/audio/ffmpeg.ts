import { createWriteStream } from 'node:fs'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import bundled from '@ffmpeg-installer/ffmpeg'
import { Unworkable } from '../failure.ts'
import { onPath } from '../on-path.ts'
import { NO_SOUND, TOO_SLOW_TO_READ, UNREADABLE } from '../reasons.ts'
import { createMeter, type Measured, Outgrown, PART_BITS_PER_SECOND, SAMPLE_RATE } from './levels.ts'
import { OUT_OF_TIME, ProgramError, runProgram } from './program.ts'
import type { Span } from './span.ts'

/** Only real containers of sound: a playlist could name other files of this machine, or addresses. */
const DEMUXERS =
  'aac,ac3,aiff,amr,asf,au,avi,caf,flac,flv,matroska,webm,mov,mp4,m4a,3gp,mp3,mpeg,mpegts,mpegvideo,ogg,w64,wav'
const RAW = ['-f', 's16le', '-ar', `${SAMPLE_RATE}`, '-ac', '1']
const QUIET = ['-hide_banner', '-nostdin', '-v', 'error', '-y']

interface DecodeOptions {
  to?: string
  evenSeconds?: number
  mostSeconds?: number
  signal: AbortSignal
}

export interface Ffmpeg {
  /**
   * Decodes a file to 16 kHz mono and measures it on the way; `to` keeps the samples (16-bit, no header). A file that
   * is known to last `evenSeconds` is brought to one loudness (EBU R 128). Throws Unworkable when there is nothing to
   * hear in the file, and Outgrown when it has more than `mostSeconds`: a few bytes may be days of silence.
   */
  decode(path: string, options: DecodeOptions): Promise<Measured>
  /** Writes a part of decoded samples in the format of the ending of `to`: `.ogg` (Opus) or `.wav`. */
  encode(samples: string, span: Span, to: string, signal: AbortSignal): Promise<void>
}

/** Evening takes 1.6 % of a file's length on a machine of 2026; this share, more than its decoding, is granted. */
const EVENING_SHARE = 0.1

/** The system's ffmpeg is newer than the one that comes along (2018). */
export const ffmpegCommand = () => onPath('ffmpeg') ?? bundled.path

export function createFfmpeg(settings: { FFMPEG_PATH?: string | undefined; FFMPEG_TIMEOUT: number }): Ffmpeg {
  const named = settings.FFMPEG_PATH ?? ffmpegCommand()
  // Looked for here: it is run without a PATH.
  const command = onPath(named) ?? named
  const run = (args: string[], signal: AbortSignal, moreSeconds = 0) =>
    runProgram(command, [...QUIET, ...args], signal, {
      cpuSeconds: Math.ceil(settings.FFMPEG_TIMEOUT / 1000 + moreSeconds),
    })
  return {
    async decode(path, { to, evenSeconds, mostSeconds, signal }) {
      const meter = createMeter(mostSeconds)
      const input = ['-protocol_whitelist', 'file', '-format_whitelist', DEMUXERS, '-i', path]
      const output = ['-vn', '-sn', '-dn', ...(evenSeconds ? ['-af', 'loudnorm'] : []), ...RAW, 'pipe:1']
      const sink = to ? createWriteStream(to) : nowhere()
      const enough = new AbortController()
      const limit = AbortSignal.any([signal, enough.signal])
      const { stdout, ended } = run([...input, ...output], limit, (evenSeconds ?? 0) * EVENING_SHARE)
      // Not a limit for all of it: on a busy machine a long file takes long.
      const still = setTimeout(() => enough.abort(new Error('ffmpeg stood still')), settings.FFMPEG_TIMEOUT)
      async function* moving(source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          still.refresh()
          yield chunk
        }
      }
      try {
        await Promise.all([ended, pipeline(stdout, moving, meter.tap, sink, { signal: limit })])
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof Outgrown) {
          enough.abort(error)
          await ended.catch(() => {})
        }
        throw asUnworkable(enough.signal.aborted ? enough.signal.reason : error)
      } finally {
        clearTimeout(still)
      }
      const measured = meter.measured()
      if (!measured.levels.length) throw new Unworkable(NO_SOUND)
      return measured
    },

    async encode(samples, { from, to }, target, signal) {
      const opus = target.endsWith('.ogg') ? ['-c:a', 'libopus', '-b:a', `${PART_BITS_PER_SECOND}`] : []
      const args = [...RAW, '-ss', `${from}`, '-t', `${to - from}`, '-i', samples, ...opus, target]
      await run(args, AbortSignal.any([signal, AbortSignal.timeout(settings.FFMPEG_TIMEOUT)])).ended
    },
  }
}

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

/** ffmpeg's own codes for an end by a signal and no space: about us. No memory (244) is about the file: it has a limit. */
const ABOUT_US = [255, 228]

/** Tells a broken file, which is the file's fault, from a missing or killed ffmpeg, which is ours. */
function asUnworkable(error: unknown): unknown {
  if (!(error instanceof ProgramError) || error.code === null || ABOUT_US.includes(error.code)) return error
  if (error.code === OUT_OF_TIME) return new Unworkable(TOO_SLOW_TO_READ)
  const hasNoSound = /does not contain any stream|matches no streams/.test(error.stderr)
  return new Unworkable(hasNoSound ? NO_SOUND : UNREADABLE)
}
