import { EventEmitter, once } from 'node:events'
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { Unworkable } from '../failure.ts'
import { TOO_LONG_HERE } from '../reasons.ts'
import { DISK_PER_SECOND } from './levels.ts'

export const MEGABYTE = 1_000_000
/** The rest is for others on the file system, and for PocketSphinx's copies of a minute. */
const OUR_SHARE = 0.8
/** Before a note is measured: what a file grows to as samples when it was spoken at 16 kbit/s. */
const GROWTH = 16

/** Megabytes that are free for our temporary files: of the disk, or of what the container was given as `/tmp`. */
export function freeMegabytes(): number {
  const { bavail, bsize } = statfsSync(tmpdir())
  return Math.max(1, Math.floor((bavail * bsize * OUR_SHARE) / MEGABYTE))
}

const SMALL_SHARE = 0.01

interface Sound {
  bytes: number
  durationSeconds: number | null
}

/** A share of the disk that one note has. */
export interface Room {
  /** Seconds of samples for which it is large enough. */
  seconds: number
  /** Leaves it to others when they need it: then `leave` is called, which frees it. It is as large as this sound. */
  lend(sound: Sound, leave: () => Promise<void>): void
  /** Takes it back. */
  claim(): void
  free(): void
}

export interface DiskBudget {
  /**
   * Takes room for a note's file and samples, first come, first served, once there is some. Throws Unworkable when
   * they would never fit.
   */
  take(note: Sound, signal: AbortSignal): Promise<Room>
}

/** Keeps the files of all notes at work within a number of bytes. */
export function createDiskBudget(total: number): DiskBudget {
  const changes = new EventEmitter().setMaxListeners(0)
  /** Oldest first. */
  const lent = new Map<Room, () => Promise<void>>()
  let inUse = 0
  let turn: Promise<void> = Promise.resolve()
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
    async take(note, signal) {
      const need = needOf(note)
      if (need > total) throw new Unworkable(TOO_LONG_HERE)
      // What needs next to nothing does not wait until there is room for a long note before it.
      const isSmall = need <= total * SMALL_SHARE
      const mine = isSmall ? enter(need, signal) : turn.then(() => enter(need, signal))
      if (!isSmall) turn = mine.catch(() => {})
      await mine
      return roomOf(need, note)
    },
  }
}
