import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

export interface Kept {
  bytes: number
  /** Hex. */
  sha256: string
}

/** More bytes than a note may have; `bytes` is what was declared, or what had come when it was stopped. */
export class TooLarge extends Error {
  override name = 'TooLarge'
  readonly bytes: number
  constructor(bytes: number) {
    super(`The file has ${bytes} bytes or more`)
    this.bytes = bytes
  }
}

interface Options {
  maxBytes: number
  signal?: AbortSignal
  /** Called for each piece that comes. */
  onBytes?(): void
}

/** Streams bytes into a file, counted and hashed, never whole in memory. Throws TooLarge, or the source's error. */
export async function keep(source: AsyncIterable<Buffer>, path: string, options: Options): Promise<Kept> {
  const { maxBytes, signal, onBytes } = options
  const hash = createHash('sha256')
  let bytes = 0
  async function* counted(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      onBytes?.()
      bytes += chunk.length
      if (bytes > maxBytes) throw new TooLarge(bytes)
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(source, counted, createWriteStream(path), { signal })
  return { bytes, sha256: hash.digest('hex') }
}
