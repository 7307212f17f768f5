import { cp, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const { DATA_DIR = '.data', MANAGEMENT_URL = 'http://127.0.0.1:9090' } = process.env
const USAGE = `Of what \`npm start\` keeps, while it is stopped:

  npm run backup -- <folder>    copies ${DATA_DIR} into a new folder
  npm run restore -- <folder>   copies it back, where there is no ${DATA_DIR} yet

DATA_DIR        what is kept (now ${DATA_DIR})
MANAGEMENT_URL  where a running one is looked for (now ${MANAGEMENT_URL})`

/** Ends with a sentence for the operator. */
function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

const isThere = async (path: string) => (await readdir(path).catch(() => [])).length > 0

/** Locks and half-written files of processes that have ended. */
const isTemporary = (path: string, root: string) => path === join(root, 'tmp')

async function copy(from: string, to: string): Promise<string> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  await cp(from, to, {
    recursive: true,
    preserveTimestamps: true,
    filter: path => !isTemporary(path, from),
  })
  const copied = await readdir(to, { recursive: true, withFileTypes: true })
  const files = copied.filter(entry => entry.isFile())
  const sizes = await Promise.all(
    files.map(async file => (await stat(join(file.parentPath, file.name))).size),
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return `${files.length} files, ${Math.ceil(bytes / 1e6)} MB`
}

const [command, folder, ...more] = process.argv.slice(2)
const [from, to] = command === 'backup' ? [DATA_DIR, folder] : [folder, DATA_DIR]
if (!folder || !from || !to || more.length) refuse(USAGE)
if (await fetch(new URL('/healthz', MANAGEMENT_URL)).catch(() => undefined))
  refuse(
    `Voxscribe runs (${MANAGEMENT_URL} answers). Stop it first: a copy of files in use may be inconsistent.`,
  )
if (!(await isThere(from))) refuse(`There is nothing in ${from}.`)
if (await isThere(to)) refuse(`There is something in ${to} already: nothing was copied.`)
process.stdout.write(`${await copy(from, to)}: ${from} → ${to}\n`)
