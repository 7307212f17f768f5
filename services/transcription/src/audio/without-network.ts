import { spawnSync } from 'node:child_process'
import { onPath } from '../on-path.ts'

/** A user namespace makes it possible without being root. */
const OPTIONS = ['--map-root-user', '--net', '--']
let found: string[] | undefined

/**
 * Returns the beginning of a command line that takes the network away from the program after it; empty where this
 * machine does not allow that. Tried once; it costs 1.5 ms of processor time each time it is used.
 */
export function withoutNetwork(): string[] {
  const unshare = onPath('unshare')
  const works = () => unshare && spawnSync(unshare, [...OPTIONS, 'sh', '-c', ':']).status === 0
  found ??= unshare && works() ? [unshare, ...OPTIONS] : []
  return found
}
