import { readdirSync, readlinkSync } from 'node:fs'

/** Returns what this process has open besides sockets, which pools keep: files, also deleted ones, and pipes. */
export const openFiles = (): string[] =>
  readdirSync('/proc/self/fd')
    .map(targetOf)
    .filter(target => !target.startsWith('socket:'))

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    // The listing itself had it open.
    return 'socket:'
  }
}
