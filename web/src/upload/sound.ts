import { reason, sentenceOf } from '@voxscribe/contracts/reasons'
import {
  ADTS,
  BlobSource,
  Conversion,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  OGG,
  OggOutputFormat,
  Output,
  QTFF,
  StreamTarget,
  type StreamTargetChunk,
  WAVE,
  WEBM,
} from 'mediabunny'
import { ApiError } from '../api/errors.ts'
import { i18n } from '../language/i18n.ts'
import { tooLargeAsSound, tooLargeHere } from './size-limit.ts'

// This module loads with the first large file.

/** An hour takes 7 MB. */
const BITS_PER_SECOND = 16_000
/** All formats that mediabunny reads, except playlists. */
const READABLE = [MP4, QTFF, MATROSKA, WEBM, MP3, WAVE, OGG, ADTS, FLAC, MPEG_TS]

interface Making {
  maxBytes: number
  signal: AbortSignal
  /** Called with the share done so far, 0 to 1. */
  onShare(share: number): void
}

/** Returns a large file's audio as one channel of Opus in Ogg, made piece by piece. Rejects with an `ApiError`. */
export async function soundOf(file: File, { maxBytes, signal, onShare }: Making): Promise<File> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  const writable = new WritableStream<StreamTargetChunk>({
    write({ data }) {
      bytes += data.byteLength
      if (bytes <= maxBytes) pieces.push(data)
      else giveUp()
    },
  })
  const input = new Input({ source: new BlobSource(file), formats: READABLE })
  const conversion = await begin(input, writable).catch(refuse)
  const giveUp = () => conversion.state !== 'canceled' && void conversion.cancel()
  signal.addEventListener('abort', giveUp)
  try {
    signal.throwIfAborted()
    if (!conversion.isValid) throw new ApiError(await whyNot(input, maxBytes), 415)
    conversion.onProgress = onShare
    await conversion.execute()
  } catch (error) {
    signal.throwIfAborted()
    if (bytes <= maxBytes) refuse(error)
  } finally {
    signal.removeEventListener('abort', giveUp)
    input.dispose()
  }
  if (bytes > maxBytes) throw new ApiError(tooLargeAsSound(maxBytes), 413)
  return new File(pieces, file.name.replace(/(\.\w+)?$/, '.ogg'), { type: 'audio/ogg' })
}

const begin = (input: Input, writable: WritableStream) =>
  Conversion.init({
    input,
    // Ogg is written without going back, so the pieces are consecutive.
    output: new Output({
      format: new OggOutputFormat(),
      target: new StreamTarget(writable, { chunked: true, chunkSize: 64 * 1024 }),
    }),
    tracks: 'primary',
    video: { discard: true },
    audio: { codec: 'opus', bitrate: BITS_PER_SECOND, numberOfChannels: 1 },
    tags: {},
    showWarnings: false,
  })

/** Says why a file can't be converted. In a truncated file, not even the tracks are found. */
async function whyNot(input: Input, maxBytes: number): Promise<string> {
  const tracks = await input.getTracks()
  if (!tracks.length) return unreadable()
  return tracks.some(track => track.isAudioTrack())
    ? tooLargeHere(maxBytes)
    : sentenceOf(i18n, reason('no_audio_track'))
}

const unreadable = () =>
  i18n.t(
    'This file can’t be read here: it is damaged, or of a kind that this browser doesn’t know. Nothing was sent.',
  )

function refuse(error: unknown): never {
  if (error instanceof ApiError) throw error
  throw new ApiError(unreadable(), 415)
}

/** Returns a recording's length in seconds; null if it can't be read. */
export async function secondsOf(recording: Blob): Promise<number | null> {
  const input = new Input({ source: new BlobSource(recording), formats: READABLE })
  try {
    return await input.computeDuration()
  } catch {
    return null
  } finally {
    input.dispose()
  }
}
