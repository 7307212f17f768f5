import { EventEmitter, once } from 'node:events'
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import PQueue from 'p-queue'
import { Unworkable } from '../failure.ts'
import { TOO_LONG_HERE } from '../reasons.ts'
import { DISK_PER_SECOND } from './levels.ts'

export const MEGABYTE = 1_000_000
/** The rest is for other programs, and for PocketSphinx's copies of a minute. */
const OUR_SHARE = 0.8
/** Samples per byte of a file at 16 kbit/s, for a note that is not measured yet. */
const GROWTH = 16

/** Free megabytes for temporary files: of the disk, or of the container's `/tmp`. */
export function freeMegabytes(): number {
  const { bavail, bsize } = statfsSync(tmpdir())
  return Math.max(1, Math.floor((bavail * bsize * OUR_SHARE) / MEGABYTE))
}

const SMALL_SHARE = 0.01

interface Sound {
  bytes: number
  durationSeconds: number | null
}

/** One note's share of the disk. */
export interface Room {
  /** Seconds of samples that fit. */
  seconds: number
  /** Resizes it to this sound, and lets other notes have it: `leave` is called then, and frees it. */
  lend(sound: Sound, leave: () => Promise<void>): void
  /** Ends the lending. */
  claim(): void
  free(): void
}

/** Keeps the files of all notes at work within a number of bytes. */
export function createDiskBudget(total: number) {
  const changes = new EventEmitter().setMaxListeners(0)
  /** Oldest first. */
  const lent = new Map<Room, () => Promise<void>>()
  let inUse = 0
  const queue = new PQueue({ concurrency: 1 })
  const needOf = ({ bytes, durationSeconds }: Sound) =>
    durationSeconds === null
      ? Math.min(total, bytes * (1 + GROWTH))
      : bytes + Math.ceil(durationSeconds * DISK_PER_SECOND)

  async function enter(need: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    while (inUse + need > total) {
      const [leave] = lent.values()
      await (leave ? leave() : once(changes, 'room', { signal }))
    }
    inUse += need
  }

  function roomOf(need: number, { bytes }: Sound): Room {
    let size = need
    const resize = (bytes: number) => {
      inUse += bytes - size
      size = bytes
      changes.emit('room')
    }
    const room: Room = {
      seconds: (need - bytes) / DISK_PER_SECOND,
      lend(sound, leave) {
        lent.set(room, leave)
        resize(needOf(sound))
      },
      claim: () => lent.delete(room),
      free() {
        lent.delete(room)
        resize(0)
      },
    }
    return room
  }

  return {
    /**
     * Takes room for a note's file and samples, first come, first served, as soon as there is some. Throws Unworkable
     * for a note that never fits.
     */
    async take(note: Sound, signal: AbortSignal): Promise<Room> {
      const need = needOf(note)
      if (need > total) throw new Unworkable(TOO_LONG_HERE)
      const work = () => enter(need, signal)
      // A small note does not wait for the room of a long one before it.
      await (need <= total * SMALL_SHARE ? work() : queue.add(work, { signal }))
      return roomOf(need, note)
    },
  }
}

export type DiskBudget = ReturnType<typeof createDiskBudget>
