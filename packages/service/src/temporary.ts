import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A place among the temporary files, for one file or folder. */
export interface TemporaryPlace {
  path: string
  /** Deletes what is there. */
  remove(): Promise<void>
}

const inUse = new Set<string>()
// A process that exits early runs nothing asynchronous any more, so everything has to be deleted now.
process.on('exit', () => {
  for (const path of inUse) removeNow(path)
})

/** Returns a new place whose name begins with the prefix. It is deleted when this process exits, except by SIGKILL. */
export function temporaryPlace(prefix: string): TemporaryPlace {
  const path = join(tmpdir(), `${prefix}${randomUUID()}`)
  inUse.add(path)
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true })
      inUse.delete(path)
    },
  }
}

function removeNow(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // `deleteLeftovers` deletes it by its age.
  }
}

/**
 * Deletes temporary files that killed processes have left: those whose names begin with the prefix and that have not
 * changed for this long (milliseconds). By age, not by owner, as in containers every process has the same id.
 */
export async function deleteLeftovers(prefix: string, olderThanMs: number): Promise<void> {
  const before = Date.now() - olderThanMs
  const names = await readdir(tmpdir())
  for (const name of names.filter(name => name.startsWith(prefix))) {
    const path = join(tmpdir(), name)
    // A file that has been deleted meanwhile is not a leftover.
    const isOld = await stat(path).then(
      ({ mtimeMs }) => mtimeMs < before,
      () => false,
    )
    if (isOld) await rm(path, { recursive: true, force: true })
  }
}
