import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelFile } from './table.ts'

/** File in a model's folder with the SHA-256 of each fetched file, by name. */
const RECORD = '.checked.json'
const CHUNK_BYTES = 4_000_000

/** Digests computed by this process, by path, size and modification time. */
const digests = new Map<string, string>()

/** Whether a file exists and has its known digest. Throws if this user may not read it. */
export function isIntact(folder: string, { name, sha256 }: Pick<ModelFile, 'name' | 'sha256'>): boolean {
  const path = join(folder, name)
  if (!statSync(path, { throwIfNoEntry: false })?.size) return false
  closeSync(openSync(path, 'r'))
  const known = [sha256, recordOf(folder)[name]].filter(each => each !== undefined)
  return !known.length || known.includes(fileDigest(path))
}

/** Records the digest of a fetched file. */
export function remember(folder: string, name: string): void {
  const path = join(folder, RECORD)
  // The name is unique, because a process with the same id in another container may fetch the same model.
  const written = `${path}.${randomUUID()}`
  writeFileSync(written, JSON.stringify({ ...recordOf(folder), [name]: fileDigest(join(folder, name)) }))
  renameSync(written, path)
}

/** The files fetched into a folder, as a place may have files that aren't in the table. */
export const fetchedInto = (folder: string) => Object.keys(recordOf(folder)).map(name => ({ name }))

function recordOf(folder: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(folder, RECORD), 'utf8'))
  } catch {
    return {}
  }
}

/** SHA-256 of a file, hex. Blocks for a second per GB, once per process and version of the file. */
export function fileDigest(path: string): string {
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
