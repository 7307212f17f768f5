import { statfsSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'

/** Memory of the service itself, with ffmpeg at work. */
const SERVICE_MEGABYTES = 400
/** Type of a file system in memory, in Linux's statfs. */
const TMPFS = 0x01021994

interface Machine {
  /** Cores, or the CPU limit of the container. */
  cores: number
  megabytes: number
}

/** The machine, or what the container's limits leave of it (cgroup v2 and v1). A `/tmp` in memory counts as used. */
export function thisMachine(): Machine {
  const { type, blocks, bsize } = statfsSync(tmpdir())
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  const temporary = type === TMPFS && limit < totalmem() ? blocks * bsize : 0
  return {
    cores: availableParallelism(),
    megabytes: (Math.min(totalmem(), limit) - temporary) / 1e6,
  }
}

/** Returns how many workers of this size the machine has room for, at least one. */
export const workersFor = (megabytes: number, { cores, megabytes: all }: Machine): number =>
  Math.max(1, Math.min(cores, Math.floor((all - SERVICE_MEGABYTES) / megabytes)))
