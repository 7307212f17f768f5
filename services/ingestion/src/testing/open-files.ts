import { readdirSync, readlinkSync } from 'node:fs'

/** Returns this process's open files, including deleted ones, and pipes; not sockets, which pools keep open. */
export const openFiles = (): string[] =>
  readdirSync('/proc/self/fd')
    .map(targetOf)
    .filter(target => !target.startsWith('socket:'))

function targetOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    // The directory listing itself had it open.
    return 'socket:'
  }
}
