import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelFile } from './table.ts'

/** Lies in a model's folder: what its files are known to be. */
const RECORD = '.checked.json'
const CHUNK_BYTES = 4_000_000

interface Checked {
  bytes: number
  mtimeMs: number
  /** Absent: the place has stated none. */
  sha256?: string | undefined
}

/** Digests of this process, by path, size and time: the record cannot be written on a read-only volume. */
const digests = new Map<string, string>()

/**
 * Whether a file has the size and digest of the table, or those that its place stated when it was fetched. The digest
 * is computed once, then remembered by size and time of change. A file of which neither is known need only be there.
 */
export function isIntact(folder: string, { name, bytes, sha256 }: ModelFile): boolean {
  const file = statSync(join(folder, name), { throwIfNoEntry: false })
  const checked = recordOf(folder)[name]
  const known = [sha256, checked?.sha256].filter(each => each !== undefined)
  if (!file?.size) return false
  if (file.size === checked?.bytes && file.mtimeMs === checked.mtimeMs) return true
  const sizes = [bytes, checked?.bytes].filter(each => each !== undefined)
  if (sizes.length && !sizes.includes(file.size)) return false
  if (!known.length) return true
  const digest = digestOf(join(folder, name))
  if (!known.includes(digest)) return false
  remember(folder, name, digest)
  return true
}

/** Remembers a file that was checked. */
export function remember(folder: string, name: string, sha256?: string): void {
  const { size: bytes, mtimeMs } = statSync(join(folder, name))
  const path = join(folder, RECORD)
  try {
    writeFileSync(`${path}.new`, JSON.stringify({ ...recordOf(folder), [name]: { bytes, mtimeMs, sha256 } }))
    renameSync(`${path}.new`, path)
  } catch {
    // A read-only volume: the digest is computed once a process.
  }
}

function recordOf(folder: string): Record<string, Checked> {
  try {
    return JSON.parse(readFileSync(join(folder, RECORD), 'utf8'))
  } catch {
    return {}
  }
}

/** SHA-256 of a file, hex. Blocks: a second for 1 GB, once. */
export function digestOf(path: string): string {
  const { size, mtimeMs } = statSync(path)
  const key = `${path} ${size} ${mtimeMs}`
  const found = digests.get(key)
  if (found) return found
  const hash = createHash('sha256')
  const chunk = Buffer.alloc(CHUNK_BYTES)
  const file = openSync(path, 'r')
  try {
    for (let read = -1; read !== 0; ) {
      read = readSync(file, chunk)
      hash.update(chunk.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
  const digest = hash.digest('hex')
  digests.set(key, digest)
  return digest
}
