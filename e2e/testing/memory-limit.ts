import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Control groups of version 1 and of version 2. */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    kills: 'memory.oom_control',
    own: /^\d+:memory:(.*)$/m,
  },
  { root: '/sys/fs/cgroup', limit: 'memory.max', kills: 'memory.events', own: /^0::(.*)$/m },
]

/**
 * Makes a group of processes that share so many megabytes (2^20 bytes), as a container with that limit; null where that is
 * not allowed.
 */
export async function limitMemory(megabytes: number) {
  for (const { root, limit, kills, own } of VERSIONS) {
    const group = join(root, `voxscribe-${process.pid}`)
    const made = await mkdir(group).then(
      () => true,
      () => false,
    )
    if (!made) continue
    if (!existsSync(join(group, limit))) {
      await rmdir(group)
      continue
    }
    await writeFile(join(group, limit), String(megabytes * 2 ** 20))
    const home = join(root, own.exec(await readFile('/proc/self/cgroup', 'utf8'))?.[1] ?? '')
    const move = (to: string) => writeFile(join(to, 'cgroup.procs'), String(process.pid))
    return {
      /** Runs `start` so that the processes it makes are in the group: a child is where its parent is. */
      async within<T>(start: () => Promise<T>): Promise<T> {
        await move(group)
        return start().finally(() => move(home))
      },
      /** Processes that the system has killed for want of memory. */
      kills: async () =>
        Number(/^oom_kill (\d+)/m.exec(await readFile(join(group, kills), 'utf8'))?.[1] ?? 0),
      remove: () => rmdir(group),
    }
  }
  return null
}
