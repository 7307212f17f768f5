import { EventEmitter, once } from 'node:events'
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Unworkable } from '../failure.ts'
import { TOO_LONG_HERE } from '../reasons.ts'
import { BYTES_PER_SECOND } from './levels.ts'

export const MEGABYTE = 1_000_000
/** The rest is for whoever else uses the file system. */
const OUR_SHARE = 0.8
/** Before a note is measured: what a file grows to as samples when it was spoken at 16 kbit/s. */
const GROWTH = 16

/** Megabytes that are free for our temporary files: of the disk, or of what the container was given as `/tmp`. */
export function freeMegabytes(): number {
  const { bavail, bsize } = statfsSync(tmpdir())
  return Math.max(1, Math.floor((bavail * bsize * OUR_SHARE) / MEGABYTE))
}

interface Sound {
  bytes: number
  durationSeconds: number | null
}

export interface DiskBudget {
  /**
   * Does work that needs a note's samples on disk, first come, first served, once there is room for them. Throws
   * Unworkable when they would never fit.
   */
  withRoom<T>(note: Sound, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** Keeps what all notes at work have on disk within so many bytes. */
export function createDiskBudget(total: number): DiskBudget {
  const room = new EventEmitter().setMaxListeners(0)
  let inUse = 0
  let turn: Promise<void> = Promise.resolve()

  const needOf = ({ bytes, durationSeconds }: Sound) =>
    durationSeconds === null
      ? Math.min(total, bytes * (1 + GROWTH))
      : bytes + Math.ceil(durationSeconds * BYTES_PER_SECOND)

  async function enter(need: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    while (inUse + need > total) await once(room, 'freed', { signal })
    inUse += need
  }

  return {
    async withRoom(note, signal, work) {
      const need = needOf(note)
      if (need > total) throw new Unworkable(TOO_LONG_HERE)
      const mine = turn.then(() => enter(need, signal))
      turn = mine.catch(() => {})
      await mine
      try {
        return await work()
      } finally {
        inUse -= need
        room.emit('freed')
      }
    },
  }
}
