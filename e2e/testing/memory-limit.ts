import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Control groups, versions 1 and 2. */
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
 * Creates a group of processes that share this many megabytes (2^20 bytes), like a container with that limit. Returns
 * null if that is not allowed.
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
      /** Runs `start` so that the processes that it creates are in the group, which children inherit. */
      async within<T>(start: () => Promise<T>): Promise<T> {
        await move(group)
        return start().finally(() => move(home))
      },
      /** Returns the number of processes that the system has killed because of memory. */
      kills: async () =>
        Number(/^oom_kill (\d+)/m.exec(await readFile(join(group, kills), 'utf8'))?.[1] ?? 0),
      remove: () => rmdir(group),
    }
  }
  return null
}
