import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
