import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

/** A place among the temporary files, for one file or folder. */
export interface TemporaryPlace {
  path: string
  /** Deletes the file or folder. */
  remove(): Promise<void>
}

const inUse = new Set<string>()
// A process that exits early runs nothing asynchronous any more, so everything has to be deleted now.
process.on('exit', () => {
  for (const path of inUse) {
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // `deleteLeftovers` deletes it.
    }
  }
})

/** Returns a new place whose name begins with the prefix. It is deleted when this process exits, except by SIGKILL. */
export function temporaryPlace(prefix: string): TemporaryPlace {
  const path = join(tmpdir(), `${prefix}${randomUUID()}.${process.pid}@${hostname()}`)
  inUse.add(path)
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      inUse.delete(path)
    },
  }
}

/**
 * Deletes temporary files that killed processes of this user have left: those whose names begin with the prefix and
 * whose process is gone, or which have not changed for this long (milliseconds), as not all processes can be seen from
 * here, and numbers of processes are used again.
 */
export async function deleteLeftovers(prefix: string, olderThanMs: number): Promise<void> {
  const before = Date.now() - olderThanMs
  const names = await readdir(tmpdir())
  for (const name of names.filter(name => name.startsWith(prefix))) {
    const path = join(tmpdir(), name)
    // One that has been deleted meanwhile is not a leftover.
    const found = await stat(path).catch(() => null)
    if (!found || found.uid !== (process.getuid?.() ?? found.uid) || inUse.has(path)) continue
    if (found.mtimeMs < before || isOwnerGone(name)) await rm(path, { recursive: true, force: true })
  }
}

/**
 * Whether the process that made it has ended. Only for this machine or container: in each of them a process may have
 * the same number.
 */
function isOwnerGone(name: string): boolean {
  const [, pid, host] = /\.(\d+)@(.+)$/.exec(name) ?? []
  if (!pid || host !== hostname()) return false
  // What this process uses is known, so this was made by an earlier one with the same number.
  if (Number(pid) === process.pid) return true
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
