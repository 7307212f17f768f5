import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

// Runs while an image is built: `node choose.ts <service> <folder>` copies what one service needs from the repository.
// npm alone would also include workspace packages that only tests use, with all of their dependencies.

interface Manifest {
  name: string
  workspaces?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}
interface Lock {
  packages: Record<string, Manifest & { resolved?: string; link?: boolean }>
}

const [service = '', out = ''] = process.argv.slice(2)
const repository = process.cwd()
const json = <T>(path: string): T => JSON.parse(readFileSync(join(repository, path), 'utf8'))
const root = json<Manifest>('package.json')
const lock = json<Lock>('package-lock.json')
/** Folder → manifest of every workspace in the repository. */
const workspaces = new Map(
  (root.workspaces ?? [])
    .flatMap(pattern => globSync(`${pattern}/package.json`, { cwd: repository }))
    .map(path => [dirname(path), json<Manifest>(path)]),
)

/** Returns the workspace itself and those that it uses in production. */
function closure(folder: string, found = new Set<string>()): Set<string> {
  found.add(folder)
  for (const name of Object.keys(workspaces.get(folder)?.dependencies ?? {})) {
    const [next] = [...workspaces].find(([, manifest]) => manifest.name === name) ?? []
    if (next && !found.has(next)) closure(next, found)
  }
  return found
}

function put(path: string, content: string) {
  mkdirSync(dirname(join(out, path)), { recursive: true })
  writeFileSync(join(out, path), content)
}
const withoutDev = <M extends Manifest>({ devDependencies: _, ...manifest }: M) => manifest

/** Writes manifests and lockfile as if the repository had only these workspaces. `built` keeps its devDependencies. */
function writeManifests(to: string, folders: Set<string>, built?: string): void {
  const strip = <M extends Manifest>(folder: string, manifest: M) =>
    folder === built ? manifest : withoutDev(manifest)
  const top = { ...withoutDev(root), workspaces: [...folders].sort() }
  put(`${to}/package.json`, JSON.stringify({ ...top, scripts: undefined }))
  put(`${to}/.npmrc`, readFileSync(join(repository, '.npmrc'), 'utf8'))
  for (const folder of folders)
    put(`${to}/${folder}/package.json`, JSON.stringify(strip(folder, workspaces.get(folder)!)))
  const packages = Object.entries(lock.packages).flatMap(([path, entry]): [string, unknown][] => {
    if (path === '') return [[path, { ...withoutDev(entry), workspaces: top.workspaces }]]
    if (entry.link) return folders.has(entry.resolved ?? '') ? [[path, entry]] : []
    if (path.startsWith('node_modules/')) return [[path, entry]]
    const folder = path.split('/node_modules/')[0]!
    return folders.has(folder) ? [[path, strip(path, entry)]] : []
  })
  put(`${to}/package-lock.json`, JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }))
}

const FOR_TESTS = /(\.test\.tsx?|\/testing(\.ts)?|\/(node_modules|dist)|\.md|\/package\.json)$/

function copySources(to: string, folders: Set<string>): void {
  for (const folder of folders)
    cpSync(join(repository, folder), join(out, to, folder), {
      recursive: true,
      filter: path => !FOR_TESTS.test(path),
    })
}

const ONE_BOX = 'one-box'
const start =
  service === ONE_BOX
    ? 'deploy/local'
    : [`services/${service}`, `stand-ins/${service}`].find(folder => workspaces.has(folder))
if (!start) throw new Error(`There is no service "${service}"; give one with --build-arg SERVICE=…`)
const needed = closure(start)
writeManifests('manifests', needed)
copySources('sources', needed)
put('sources/start.mjs', `import './${start}/${service === ONE_BOX ? '' : 'src/'}main.ts'\n`)
// The doctor needs the settings of all services.
if (service === ONE_BOX)
  cpSync(join(repository, 'deploy/service-settings.ts'), join(out, 'sources/deploy/service-settings.ts'))
for (const script of ['health.mjs', 'keys.mjs', 'admin.ts'])
  cpSync(join(repository, 'deploy/image', script), join(out, 'sources', script))

for (const folder of ['web-manifests', 'web-sources']) mkdirSync(join(out, folder), { recursive: true })
if (['gateway', ONE_BOX].includes(service)) {
  const web = closure('web')
  writeManifests('web-manifests', web, 'web')
  copySources('web-sources', web)
  cpSync(join(repository, 'docs'), join(out, 'web-sources/docs'), { recursive: true })
}
