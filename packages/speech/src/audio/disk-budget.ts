import { EventEmitter, once } from 'node:events'
import { statfsSync } from 'node:fs'
import { reason } from '@voxscribe/contracts/reasons'
import PQueue from 'p-queue'
import { Unworkable } from '../errors.ts'
import { DISK_PER_SECOND } from './levels.ts'

export const MEGABYTE = 1_000_000
/** Share of the disk for notes; the rest is for other programs, and for PocketSphinx's copies of a minute. */
const OUR_SHARE = 0.8
/** Bytes of samples per byte of a file at 16 kbit/s, for a note whose length isn't known yet. */
const GROWTH = 16

/** Returns the free megabytes for files in a folder: of the disk, or of the container's `/tmp`. */
export function freeMegabytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return Math.max(1, Math.floor((bavail * bsize * OUR_SHARE) / MEGABYTE))
}

const SMALL_SHARE = 0.01

interface Sound {
  bytes: number
  durationSeconds: number | null
}

export interface Room {
  seconds: number
  fit(sound: Sound): void
  free(): void
}

/** Limits the bytes of the files of all notes in progress; `makeRoom` deletes what can be decoded again. */
export function createDiskBudget(total: number, makeRoom: () => Promise<void> | undefined) {
  const changes = new EventEmitter().setMaxListeners(0)
  let inUse = 0
  const queue = new PQueue({ concurrency: 1 })
  const sizeOnDisk = ({ bytes, durationSeconds }: Sound) =>
    durationSeconds === null
      ? Math.min(total, bytes * (1 + GROWTH))
      : bytes + Math.ceil(durationSeconds * DISK_PER_SECOND)

  async function enter(need: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    while (inUse + need > total) await (makeRoom() ?? once(changes, 'room', { signal }))
    inUse += need
  }

  return {
    /** Reserves space for a file and its samples, in order of the calls. Throws Unworkable if it can never fit. */
    async take(note: Sound, signal: AbortSignal): Promise<Room> {
      let size = sizeOnDisk(note)
      if (size > total) throw new Unworkable(reason('too_long_here'))
      const work = () => enter(size, signal)
      // A small note doesn't wait for the space of a long one before it.
      await (size <= total * SMALL_SHARE ? work() : queue.add(work, { signal }))
      const resize = (bytes: number) => {
        inUse += bytes - size
        size = bytes
        changes.emit('room')
      }
      return {
        seconds: (size - note.bytes) / DISK_PER_SECOND,
        fit: sound => resize(sizeOnDisk(sound)),
        free: () => resize(0),
      }
    },
  }
}
