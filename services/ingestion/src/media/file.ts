import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Reason, reason } from '@voxscribe/contracts/reasons'
import { fileTypeFromFile } from 'file-type'

/** How the names of temporary files begin. */
export const TEMPORARY_PREFIX = 'voxscribe-media-'

/** Returns the key of a note's bytes: `media/2026/11/<id>`, by the month in which it came. */
export const objectKeyOf = (mediaId: string, at: Date): string =>
  `media/${at.toISOString().slice(0, 7).replace('-', '/')}/${mediaId}`

/** A file that cannot become a note; it is not tried again. `bytes`: declared, or received so far. */
export class Rejected extends Error {
  override name = 'Rejected'
  readonly reason: Reason
  readonly bytes: number
  constructor(reason: Reason, bytes = 0) {
    super(reason.code)
    this.reason = reason
    this.bytes = bytes
  }
}
export const tooLarge = (bytes: number) => new Rejected(reason('too_large'), bytes)
export const noLongerThere = () => new Rejected(reason('media_gone'))

/** Our credentials no longer work: an operator must act, and retrying won't help for a while. */
export class TokenRefused extends Error {
  override name = 'TokenRefused'
}

export interface Kept {
  bytes: number
  /** Hex. */
  sha256: string
}

interface Options {
  maxBytes: number
  signal?: AbortSignal
  /** Called for each chunk. */
  onBytes?(): void
}

/** Streams bytes into a file, counted and hashed, never whole in memory. Throws Rejected for too many, or the source's error. */
export async function keep(source: AsyncIterable<Buffer>, path: string, options: Options): Promise<Kept> {
  const { maxBytes, signal, onBytes } = options
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      onBytes?.()
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(bytes)
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(source, counted, createWriteStream(path), { signal })
  return { bytes, sha256: hash.digest('hex') }
}

/** Containers of audio or video whose MIME type says neither. */
const OTHERS = ['application/ogg', 'application/mxf', 'application/vnd.ms-asf']
/** Scores for an instrument, without recorded sound. */
const NOT_RECORDED = ['audio/midi', 'audio/x-midi']

/** Returns a file's MIME type by its content. Throws Rejected for an empty file, or one without audio or video. */
export async function mediaMimeOf(path: string, bytes: number): Promise<string> {
  if (!bytes) throw new Rejected(reason('empty_file'))
  const mime = (await fileTypeFromFile(path))?.mime ?? ''
  const isMedia = /^(audio|video)\//.test(mime) || OTHERS.includes(mime)
  if (!isMedia || NOT_RECORDED.includes(mime)) throw new Rejected(reason('not_audio_or_video'), bytes)
  return mime
}
