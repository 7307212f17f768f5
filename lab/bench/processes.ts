import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Returns the fields of `/proc/<pid>/stat` after the program's name, so index 0 is the third field. */
const fieldsOf = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

/** Clock ticks per second, on every Linux. */
const TICKS = 100

/** Returns the processor seconds of a process and of its ended children. */
export const cpuOf = (pid: number): number =>
  fieldsOf(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    .slice(11, 15)
    .reduce((sum, field) => sum + Number(field), 0) / TICKS

/** Returns the processor seconds of this process and all below it, including those that have ended. */
export const cpuHere = (): number =>
  [process.pid, ...startedBy(process.pid)].reduce((sum, pid) => sum + cpuOf(pid), 0)

/** Returns a process's memory in megabytes: the peak (`VmHWM`) or the current value (`VmRSS`). */
export const megabytesOf = (pid: number, what: 'VmHWM' | 'VmRSS'): number =>
  Math.round(
    Number(new RegExp(`${what}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) /
      1000,
  )

/** Returns processes started by a process, directly or indirectly, even in other groups; children first. */
export function startedBy(pid: number): number[] {
  const children = readdirSync('/proc').filter(entry => {
    try {
      return Number(fieldsOf(readFileSync(join('/proc', entry, 'stat'), 'utf8'))[1]) === pid
    } catch {
      // Not a process, or one that has ended.
      return false
    }
  })
  return children.flatMap(child => [...startedBy(Number(child)), Number(child)])
}
