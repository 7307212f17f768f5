import { execFile } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Size of the file system in megabytes: a base, and an addition per note for its decoded sound. */
const [LEAST_MB, NOTE_MB] = [96, 0.3]
const CHUNK = Buffer.alloc(1 << 20)

export interface Disk {
  /** Leaves no byte free. */
  fill(): Promise<void>
  free(): Promise<void>
  unmount(): Promise<void>
}

/** Mounts a small file system in memory. Returns null if mounting is not allowed. */
export async function mountDisk(path: string, notes: number): Promise<Disk | null> {
  const size = Math.ceil(LEAST_MB + NOTE_MB * notes)
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}m`, 'voxscribe-drill', path])
  } catch {
    return null
  }
  const filler = join(path, 'filler')
  return {
    async fill() {
      const file = await open(filler, 'a')
      try {
        // Writes ever smaller pieces, down to a block.
        for (let bytes = CHUNK.length; bytes >= 4096; )
          try {
            await file.write(CHUNK, 0, bytes)
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
            bytes /= 2
          }
      } finally {
        await file.close()
      }
    },
    free: () => rm(filler, { force: true }),
    // Lazy, so that an open file doesn't block it.
    unmount: () => run('umount', ['--lazy', path]).then(() => {}),
  }
}
