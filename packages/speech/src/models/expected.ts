import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Model, modelNamed } from './table.ts'

/** The file that names the model being fetched; the fetching process rewrites it every `WRITE_MS`. */
const FILE = 'expected'
const WRITE_MS = 10_000
/** An older file was left by a process that died. */
const LASTS_MS = 6 * WRITE_MS

/** Returns the speech model that a process is fetching into a folder. */
export function expectedIn(folder: string): Model | undefined {
  const path = join(folder, FILE)
  const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - writtenAt > LASTS_MS) return undefined
  try {
    return modelNamed(readFileSync(path, 'utf8'))
  } catch {
    // The model has just been fetched.
    return undefined
  }
}

/** Announces to all processes with this folder that a model is being fetched, until the returned function is called. */
export function expectIn(folder: string, { name }: Model): () => void {
  const path = join(folder, FILE)
  const write = () => {
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(path, name)
    } catch {
      // The download reports a full disk or a read-only volume.
    }
  }
  write()
  const timer = setInterval(write, WRITE_MS).unref()
  return () => {
    clearInterval(timer)
    rmSync(path, { force: true })
  }
}
