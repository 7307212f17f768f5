import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './system.ts'

const run = promisify(execFile)
const git = async (...command: string[]) => (await run('git', ['-C', ROOT, ...command])).stdout.trim()
/** Changes with each release. */
const FROZEN = 'packages/contracts/src/wire/released/schemas.json'

/** The commit of `PREVIOUS_RELEASE`, else of the newest tag, else the one that froze the events; undefined where it is not here. */
async function previousCommit(): Promise<string | undefined> {
  try {
    if ((await git('rev-parse', '--is-shallow-repository')) === 'true') return undefined
    const tag =
      process.env.PREVIOUS_RELEASE ?? (await git('describe', '--tags', '--abbrev=0').catch(() => ''))
    return await git(
      'rev-parse',
      tag ? `${tag}^{commit}` : await git('log', '-1', '--format=%H', '--', FROZEN),
    )
  } catch {
    return undefined
  }
}

/** A folder with the code of the previous release and today's dependencies; undefined without git's history. */
export async function previousRelease() {
  const commit = await previousCommit()
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
