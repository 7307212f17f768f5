import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { access, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A place for one temporary file or folder. */
export interface TemporaryPlace {
  path: string
  remove(): Promise<void>
}

const PREFIX = 'voxscribe-'
const LOCK = 'in-use'

let parent = tmpdir()
let own: { path: string; lock: DatabaseSync } | undefined
// A process that exits early runs nothing asynchronous, so everything has to be deleted now.
process.on('exit', () => {
  try {
    if (own) rmSync(own.path, { recursive: true, force: true })
  } catch {
    // `deleteLeftovers` will delete it.
  }
})

/** Moves this process's temporary files below a folder, instead of the system's. Call it before there are any. */
export function keepTemporaryFilesIn(folder: string): void {
  parent = folder
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/**
 * Locks a folder of temporary files until the lock is closed or its process ends. The operating system keeps the lock,
 * so clocks don't matter, and other containers see it as well. Throws while another process has the lock.
 */
function lockFolder(path: string): DatabaseSync {
  const lock = new DatabaseSync(join(path, LOCK))
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

/** Returns this process's folder, and creates it when needed: a cleaner of the machine may have deleted it. */
export function temporaryFolder(): string {
  if (!own || !existsSync(own.path)) {
    own?.lock.close()
    const made = mkdtempSync(join(parent, `.${PREFIX}`))
    // The process id is for people who look; only the lock counts.
    const path = join(parent, `${PREFIX}${process.pid}-${randomUUID()}`)
    const lock = lockFolder(made)
    // Renamed only once it is locked, so nobody takes it for a leftover.
    renameSync(made, path)
    own = { path, lock }
  }
  return own.path
}

/** Returns a new place whose name begins with the prefix. It is deleted when this process exits, unless by SIGKILL. */
export function temporaryPlace(prefix: string): TemporaryPlace {
  const path = join(temporaryFolder(), `${prefix}${randomUUID()}`)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Deletes temporary folders next to ours that killed processes have left. */
export async function deleteLeftovers(): Promise<void> {
  const names = (await readdir(parent)).filter(name => name.startsWith(PREFIX))
  for (const path of names.map(name => join(parent, name))) {
    // Skips our own folder, and folders without a lock file.
    if (path === own?.path || (await access(join(path, LOCK)).then(...NOT_THERE))) continue
    let lock: DatabaseSync
    try {
      lock = lockFolder(path)
    } catch {
      // The folder is in use.
      continue
    }
    await rm(path, { recursive: true, force: true }).finally(() => lock.close())
  }
}

const NOT_THERE = [() => false, () => true] as const
