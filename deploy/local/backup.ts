import { cp, lstat, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { FolderInUse, lockFolder } from '@voxscribe/embedded-mongo'
import { isUnfinished, UNFINISHED } from './unfinished.ts'

// An empty variable counts as unset, as everywhere.
const DATA_DIR = process.env.DATA_DIR || '.data'
const USAGE = `Of what \`npm start\` keeps, while it is stopped:

  npm run backup -- <folder>    copies ${DATA_DIR} into a new folder
  npm run restore -- <folder>   copies it back, where there is no ${DATA_DIR} yet

DATA_DIR is what is kept (now ${DATA_DIR}).`

/** Exits with a sentence for the operator. */
function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

const isThere = async (path: string) => (await readdir(path).catch(() => [])).length > 0

/** Whether a path holds locks, half-written files or sockets of ended processes. */
const isTemporary = async (path: string, root: string) =>
  path === join(root, 'tmp') || (await lstat(path)).isSocket()

/** Deletes the contents of a folder, the mark of an unfinished copy last. */
async function empty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => [])
  for (const name of names) if (name !== UNFINISHED) await rm(join(folder, name), { recursive: true })
  if (names.includes(UNFINISHED)) await rm(join(folder, UNFINISHED))
}

/** Copies everything; on failure, leaves an empty folder, because `npm start` would accept incomplete data. */
async function copy(from: string, to: string): Promise<string> {
  try {
    await mkdir(to, { recursive: true, mode: 0o700 })
    await empty(to)
    await writeFile(join(to, UNFINISHED), '')
    await cp(from, to, {
      recursive: true,
      preserveTimestamps: true,
      filter: async path => !(await isTemporary(path, from)),
    })
  } catch (error) {
    await empty(to)
    throw error
  }
  await rm(join(to, UNFINISHED))
  const copied = await readdir(to, { recursive: true, withFileTypes: true })
  const files = copied.filter(entry => entry.isFile())
  const sizes = await Promise.all(
    files.map(async file => (await stat(join(file.parentPath, file.name))).size),
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return `${files.length} files, ${Math.ceil(bytes / 1e6)} MB`
}

/** Copies while no process has the data open or can open them. */
async function whileStopped(copied: () => Promise<string>): Promise<string> {
  const documents = join(DATA_DIR, 'mongo')
  if (!(await isThere(documents))) return copied()
  const lock = lockUnlessRunning(documents)
  try {
    return await copied()
  } finally {
    lock.close()
  }
}

function lockUnlessRunning(documents: string) {
  try {
    return lockFolder(documents)
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error
    return refuse(`Voxscribe runs on ${DATA_DIR}. Stop it first: a copy of files in use may be inconsistent.`)
  }
}

const [command, folder, ...more] = process.argv.slice(2)
const [from, to] = command === 'backup' ? [DATA_DIR, folder] : [folder, DATA_DIR]
if (!folder || !from || !to || more.length) refuse(USAGE)
if (!(await isThere(from))) refuse(`There is nothing in ${from}.`)
if (isUnfinished(from)) refuse(`${from} is incomplete: the copy into it was interrupted.`)
if ((await isThere(to)) && !isUnfinished(to))
  refuse(`There is something in ${to} already: nothing was copied.`)
if (resolve(to).startsWith(resolve(from) + sep)) refuse(`${to} is inside ${from}: name a folder elsewhere.`)
const copied = await whileStopped(() => copy(from, to)).catch(error =>
  refuse(`Nothing was copied: ${(error as Error).message}`),
)
process.stdout.write(`${copied}: ${from} → ${to}\n`)
