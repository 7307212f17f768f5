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
// Nobody waits for a process that ends in haste: what was to be deleted later has to go now.
process.on('exit', () => {
  for (const path of inUse) removeNow(path)
})

/** Returns a new place whose name begins with the prefix. It goes with this process, however that ends but by SIGKILL. */
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
    // It goes by its age.
  }
}

/**
 * Deletes what killed processes have left among the temporary files: whatever has a name that begins so, and has not
 * changed for that long (milliseconds). By age, not by owner: in containers every process has the same id.
 */
export async function deleteLeftovers(prefix: string, olderThanMs: number): Promise<void> {
  const before = Date.now() - olderThanMs
  const names = await readdir(tmpdir())
  for (const name of names.filter(name => name.startsWith(prefix))) {
    const path = join(tmpdir(), name)
    // What is gone meanwhile is no leftover.
    const isOld = await stat(path).then(
      ({ mtimeMs }) => mtimeMs < before,
      () => false,
    )
    if (isOld) await rm(path, { recursive: true, force: true })
  }
}
