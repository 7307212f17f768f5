import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Envelope } from '../wire/events.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../../..')
const git = async (...command: string[]) => (await run('git', ['-C', ROOT, ...command])).stdout.trim()
/** Commit of version 0.1.0, which has no tag. */
const FIRST_RELEASE = '5cb708aab7a03efaa2ca2a707fd1bec85f851574'

/** Returns the commit of `PREVIOUS_RELEASE`, else of the newest tag, else of 0.1.0; undefined if git lacks it. */
async function lastCommit(): Promise<string | undefined> {
  const newestTag = git('describe', '--tags', '--abbrev=0').catch(() => FIRST_RELEASE)
  const release = process.env.PREVIOUS_RELEASE ?? (await newestTag)
  return git('rev-parse', '--verify', '--quiet', `${release}^{commit}`).catch(() => undefined)
}

/** Returns a folder with the last release's code and today's dependencies; undefined without git's history. */
export async function lastRelease() {
  const commit = await lastCommit()
  if (!commit) return undefined
  const root = await mkdtemp(join(tmpdir(), 'voxscribe-previous-'))
  await run('sh', ['-c', 'git -C "$1" archive "$2" | tar -x -C "$3"', 'sh', ROOT, commit, root])
  const own = join(root, 'node_modules/@voxscribe')
  await mkdir(own, { recursive: true })
  for (const name of await readdir(join(ROOT, 'node_modules')))
    if (name !== '@voxscribe')
      await symlink(join(ROOT, 'node_modules', name), join(root, 'node_modules', name))
  for (const folder of ['packages', 'services', 'stand-ins'])
    for (const name of await readdir(join(root, folder)))
      await symlink(join(root, folder, name), join(own, name))
  return { commit, root, remove: () => rm(root, { recursive: true }) }
}

/** Passes events to a release's code. Returns its own, with each of their values, and which given ones it reads. */
export function exchange(
  root: string,
  given: Envelope[],
): { sent: Envelope[]; names: string[]; read: boolean[] } {
  const script = join(import.meta.dirname, 'exchange-events.ts')
  const events = join(root, 'packages/contracts/src/wire/events.ts')
  const options = { input: JSON.stringify(given), encoding: 'utf8', maxBuffer: 1 << 26 } as const
  return JSON.parse(execFileSync(process.execPath, [script, events], options))
}
