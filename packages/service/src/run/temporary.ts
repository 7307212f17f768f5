import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { access, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A place among the temporary files, for one file or folder. */
export interface TemporaryPlace {
  path: string
  remove(): Promise<void>
}

const PREFIX = 'voxscribe-'
const LOCK = 'in-use'

let parent = tmpdir()
let own: { path: string; lock: DatabaseSync } | undefined
// A process that exits early runs nothing asynchronous any more, so everything has to be deleted now.
process.on('exit', () => {
  try {
    if (own) rmSync(own.path, { recursive: true, force: true })
  } catch {
    // `deleteLeftovers` deletes it.
  }
})

/** Makes this process's temporary files go below that folder instead of the system's. To be called before there are any. */
export function keepTemporaryFilesIn(folder: string): void {
  parent = folder
  mkdirSync(folder, { recursive: true, mode: 0o700 })
}

/**
 * Locks a folder of temporary files until the lock is closed or its process ends; the system knows that, whatever the
 * clocks, in other containers as well. Throws while another process has the lock.
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

/** Returns the folder of this process, made when it is needed: a cleaner of the machine may have taken it. */
export function temporaryFolder(): string {
  if (!own || !existsSync(own.path)) {
    own?.lock.close()
    const made = mkdtempSync(join(parent, `.${PREFIX}`))
    // The process is named for people who look; the lock is what counts.
    const path = join(parent, `${PREFIX}${process.pid}-${randomUUID()}`)
    const lock = lockFolder(made)
    // It gets its name when it is locked: nobody takes it for a leftover.
    renameSync(made, path)
    own = { path, lock }
  }
  return own.path
}

/** Returns a new place whose name begins with the prefix. It is deleted when this process exits, except by SIGKILL. */
export function temporaryPlace(prefix: string): TemporaryPlace {
  const path = join(temporaryFolder(), `${prefix}${randomUUID()}`)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/** Deletes temporary files beside ours that killed processes have left. */
export async function deleteLeftovers(): Promise<void> {
  const names = (await readdir(parent)).filter(name => name.startsWith(PREFIX))
  for (const path of names.map(name => join(parent, name))) {
    // Another's, or no folder of this kind.
    if (path === own?.path || (await access(join(path, LOCK)).then(...NOT_THERE))) continue
    let lock: DatabaseSync
    try {
      lock = lockFolder(path)
    } catch {
      // In use.
      continue
    }
    await rm(path, { recursive: true, force: true }).finally(() => lock.close())
  }
}

const NOT_THERE = [() => false, () => true] as const
