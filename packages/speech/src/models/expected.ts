import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Model, modelNamed } from './table.ts'

/** Names the model that is being fetched; the process that fetches it writes the file again and again. */
const FILE = 'expected'
const WRITE_MS = 10_000
/** An older file is left from a process that has died. */
const LASTS_MS = 6 * WRITE_MS

/** The model for speech that some process is fetching into a folder. */
export function expectedIn(folder: string): Model | undefined {
  const path = join(folder, FILE)
  const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - writtenAt > LASTS_MS) return undefined
  try {
    return modelNamed(readFileSync(path, 'utf8'))
  } catch {
    // It has just been fetched.
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
      // A full disk or a read-only volume: the download reports it.
    }
  }
  write()
  const timer = setInterval(write, WRITE_MS).unref()
  return () => {
    clearInterval(timer)
    rmSync(path, { force: true })
  }
}
