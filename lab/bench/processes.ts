import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Fields of `/proc/<pid>/stat` behind the program's name: the third one is the first here. */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

/** Ticks of a processor's clock: 100 a second on every Linux. */
const TICKS = 100

/** Returns the processor seconds of a process and of its children that have ended. */
export const cpuOf = (pid: number): number =>
  fieldsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0) / TICKS

/** Returns the megabytes of a process: the most that it has had, or what it has now. */
export const megabytesOf = (pid: number, what: 'VmHWM' | 'VmRSS'): number =>
  Math.round(
    Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) /
      1000,
  )

/** Processes started by a process, directly or not, even in other groups; children first. */
export function startedBy(pid: number): number[] {
  const children = readdirSync('/proc').filter(entry => {
    try {
      return Number(fieldsOf(readFileSync(join('/proc', entry, 'stat'), 'utf8'))[1]) === pid
    } catch {
      // Not a process, or one that has ended meanwhile.
      return false
    }
  })
  return children.flatMap(child => [...startedBy(Number(child)), Number(child)])
}
