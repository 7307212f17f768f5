import { createWriteStream } from 'node:fs'
import { PassThrough, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import bundled from '@ffmpeg-installer/ffmpeg'
import ffmpeg from 'fluent-ffmpeg'
import { Unworkable } from '../failure.ts'
import { onPath } from '../on-path.ts'
import { NO_SOUND, TOO_SLOW_TO_READ, UNREADABLE } from '../reasons.ts'
import type { Span } from './chunking.ts'
import { createMeter, type Measured, SAMPLE_RATE } from './levels.ts'

/** The one file that knows fluent-ffmpeg, which is archived: whoever replaces it changes nothing else. */

/** Only real containers of sound: a playlist could name other files of this machine, or addresses. */
const DEMUXERS =
  'aac,ac3,aiff,amr,asf,au,avi,caf,flac,flv,matroska,webm,mov,mp4,m4a,3gp,mp3,mpeg,mpegts,mpegvideo,ogg,w64,wav'
const RAW = ['-f s16le', `-ar ${SAMPLE_RATE}`, '-ac 1']

export interface Ffmpeg {
  /**
   * Decodes a file to 16 kHz mono and measures it on the way; `to` keeps the samples (16-bit, no header), `even`
   * brings quiet and loud recordings to one loudness (EBU R 128). Throws Unworkable when there is nothing to hear in
   * the file.
   */
  decode(path: string, options: { to?: string; even?: boolean; signal: AbortSignal }): Promise<Measured>
  /** Writes a part of decoded samples in the format of the ending of `to`: `.ogg` (Opus) or `.wav`. */
  encode(samples: string, span: Span, to: string, signal: AbortSignal): Promise<void>
}

/** The system's ffmpeg is newer than the one that comes along (2018). */
export const ffmpegCommand = () => onPath('ffmpeg') ?? bundled.path

export function createFfmpeg(settings: { FFMPEG_PATH?: string | undefined; FFMPEG_TIMEOUT: number }): Ffmpeg {
  const command = settings.FFMPEG_PATH ?? ffmpegCommand()
  const start = (input: string) => {
    // fluent-ffmpeg ends the whole process when its program is not there.
    if (!onPath(command)) throw new Error(`There is no ffmpeg at ${command}`)
    return ffmpeg(input).setFfmpegPath(command)
  }
  return {
    async decode(path, { to, even = false, signal }) {
      const meter = createMeter()
      // Its "close" would make fluent-ffmpeg report an error when ffmpeg ends a moment later than its output.
      const samples = new PassThrough({ emitClose: false })
      const run = start(path)
        .inputOptions(['-nostdin', '-protocol_whitelist file', `-format_whitelist ${DEMUXERS}`])
        .outputOptions(['-vn', '-sn', '-dn', ...(even ? ['-af loudnorm'] : []), ...RAW])
        .output(samples, { end: true })
      const sink = to ? createWriteStream(to) : nowhere()
      const limit = AbortSignal.any([signal, AbortSignal.timeout(settings.FFMPEG_TIMEOUT)])
      try {
        await Promise.all([finished(run, limit), pipeline(samples, meter.tap, sink, { signal: limit })])
      } catch (error) {
        signal.throwIfAborted()
        throw limit.aborted ? new Unworkable(TOO_SLOW_TO_READ) : asUnworkable(error)
      }
      const measured = meter.measured()
      if (!measured.levels.length) throw new Unworkable(NO_SOUND)
      return measured
    },

    async encode(samples, { from, to }, target, signal) {
      const run = start(samples)
        .inputOptions([...RAW, `-ss ${from}`, `-t ${to - from}`])
        .outputOptions(target.endsWith('.ogg') ? ['-c:a libopus', '-b:a 32k'] : [])
        .output(target)
      await finished(run, AbortSignal.any([signal, AbortSignal.timeout(settings.FFMPEG_TIMEOUT)]))
    },
  }
}

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() })

function finished(run: ffmpeg.FfmpegCommand, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const kill = () => run.kill('SIGKILL')
    const leave = (settle: () => void) => {
      signal.removeEventListener('abort', kill)
      settle()
    }
    run
      .on('start', () => {
        if (signal.aborted) kill()
        else signal.addEventListener('abort', kill)
      })
      .on('end', () => leave(resolve))
      .on('error', (error, _stdout, stderr) =>
        leave(() => reject(signal.aborted ? signal.reason : new FfmpegError(error.message, stderr ?? ''))),
      )
      .run()
  })
}

class FfmpegError extends Error {
  override name = 'FfmpegError'
  readonly stderr: string
  constructor(message: string, stderr: string) {
    super(message)
    this.stderr = stderr
  }
}

/** What ffmpeg says about the file is about the file; that it is missing or was killed is about us. */
function asUnworkable(error: unknown): unknown {
  if (!(error instanceof FfmpegError) || !/exited with code/.test(error.message)) return error
  const hasNoSound = /does not contain any stream|matches no streams/.test(error.stderr)
  return new Unworkable(hasNoSound ? NO_SOUND : UNREADABLE)
}
