import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { tooLarge } from './rejections.ts'

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
