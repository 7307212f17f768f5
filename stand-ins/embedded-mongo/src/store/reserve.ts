import { randomBytes } from 'node:crypto'
import { rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from './errors.ts'
import type { Doc } from './values.ts'

/** Disk space that is reserved for the writes of some databases. */
export interface ReserveOptions {
  bytes: number
  databases: string[]
}

/** SQLite's error codes if there is no room for the data, or for the index of its log. */
const FULL = [13, 4874]
export const isDiskFull = (error: unknown): boolean =>
  FULL.includes((error as { errcode?: number }).errcode ?? 0)

/** Creates an error like MongoDB's OutOfDiskSpace. */
export const diskFull = () => new CommandError(14031, 'The disk is full')

/** Writes that need space; others delete, or change nothing. */
const GROWING = ['insert', 'update', 'findAndModify']

/** Reserves space in a file, deleted on a full disk. Only these databases may use it until twice as much is free. */
export function openReserve(folder: string, { bytes, databases }: ReserveOptions) {
  const path = join(folder, 'reserve')
  let isKept = statSync(path, { throwIfNoEntry: false })?.size === bytes
  const reserve = {
    refuses: (body: Doc) =>
      !isKept && GROWING.includes(Object.keys(body)[0] ?? '') && !databases.includes(String(body.$db)),
    giveUp(): void {
      rmSync(path, { force: true })
      isKept = false
    },
    refill(): void {
      if (isKept) return
      const { bavail, bsize } = statfsSync(folder)
      if (bavail * bsize < 2 * bytes) return
      try {
        // Random bytes, because file systems that compress would reserve nothing for zeros.
        writeFileSync(path, randomBytes(bytes), { flush: true })
        isKept = true
      } catch {
        reserve.giveUp()
      }
    },
  }
  reserve.refill()
  return reserve
}
