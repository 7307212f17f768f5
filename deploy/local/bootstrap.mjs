// First code of `npm start`, `npm test` and the operators' commands. Plain JavaScript for Node 20 and later: it
// installs what is missing (Node 24 comes as a package), then hands over to the TypeScript.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { handOver } from './hand-over.mjs'
import { MEMORY_ENV, MEMORY_OPTIONS } from './memory.mjs'

const root = resolve(fileURLToPath(import.meta.url), '../../..')
const [task = 'start', ...rest] = process.argv.slice(2)
const node24 = join(root, 'node_modules/node/bin/node')

const say = line => process.stdout.write(`• ${line}\n`)

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Runs a command and shows its output only if it fails. */
function quietly(what, command, ...args) {
  say(`${what} …`)
  const started = Date.now()
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (result.status !== 0)
    fail(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n${what} failed.`)
  say(`Done (${((Date.now() - started) / 1000).toFixed(1)} s).`)
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

const filesBelow = folder =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter(path => !/(^|\/)(dist|node_modules)\//.test(path))
    .sort()

/** Does the work only if the inputs have changed since the last time. */
function whenChanged(stampFile, hash, work) {
  const stamp = join(root, stampFile)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  work()
  writeFileSync(stamp, hash)
}

function installPackages() {
  whenChanged('node_modules/.installed-lockfile', hashOf(['package-lock.json']), () => {
    const what = 'Installing packages (the first time takes a minute or two)'
    quietly(what, 'npm', 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error')
  })
  if (!existsSync(node24))
    fail('The package `node` did not install its binary. Run `npm rebuild node` and try again.')
}

function buildWebApp() {
  const inputs = [
    ...filesBelow('web'),
    ...filesBelow('packages/contracts/src'),
    ...filesBelow('packages/languages'),
    ...filesBelow('docs'),
    'package-lock.json',
  ]
  whenChanged('web/dist/.built', hashOf(inputs), () => {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    quietly('Building the web application', node24, vite, 'build', 'web', '--logLevel', 'warn')
  })
}

/** Whether a program, or a file with an absolute path, is on this machine. */
const isHere = path =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'].some(folder =>
    existsSync(resolve(folder, path)),
  )

function aptInstall(packages) {
  say(`Installing ${packages.join(', ')} with apt-get: the tests use them …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // With an outdated package list, the installation itself would fail.
  spawnSync('apt-get', ['update', '-qq'], { env })
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
  const { status, stderr } = spawnSync('apt-get', install, { env, encoding: 'utf8' })
  if (status !== 0) say(`apt-get could not install them:\n${stderr}`)
}

/** Programs and files that some tests need → Debian packages. */
const TEST_PROGRAMS = {
  'rabbitmq-server': ['rabbitmq-server'],
  'chromium-headless-shell': ['chromium-headless-shell'],
  pocketsphinx_continuous: ['pocketsphinx'],
  ffmpeg: ['ffmpeg'],
  pdftotext: ['poppler-utils'],
  promtool: ['prometheus'],
  '/usr/share/pocketsphinx/model/en-us/en-us': ['pocketsphinx-en-us'],
  '/usr/share/pocketsphinx/test/data/librivox': ['pocketsphinx-testdata'],
}
/** For slow tests. WebKit plays sound through GStreamer and needs a screen. */
const SLOW_TEST_PROGRAMS = {
  'firefox-esr': ['firefox-esr'],
  WebKitWebDriver: ['webkit2gtk-driver', 'gstreamer1.0-plugins-good', 'gstreamer1.0-libav'],
  'xvfb-run': ['xvfb', 'xauth'],
}
/** Leaves out slow tests. Tests wait as much as they compute, so four run at once on two cores. */
const QUICK_TESTS = [
  '--testPathIgnorePatterns=\\.slow\\.test\\.tsx?$',
  `--maxWorkers=${2 * availableParallelism()}`,
]

function findTestPrograms(programs) {
  const missing = () => Object.entries(programs).flatMap(([path, packages]) => (isHere(path) ? [] : packages))
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/etc/debian_version') && isHere('apt-get')
  if (missing().length && isDebianRoot) aptInstall(missing())
  if (!missing().length) return
  const list = `Not on this machine, so the tests that need them are left out: ${missing().join(', ')}.`
  if (process.env.CI) fail(list)
  say(list)
}

const run = (args, env = {}) =>
  handOver(node24, args, {
    cwd: root,
    env: {
      ...env,
      // Reading modules takes most of a start, so compiled ones are kept for the next start.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/voxscribe'),
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
    },
    say,
  })

/** Hides the warning at each start that SQLite in Node is experimental. */
const QUIET = '--disable-warning=ExperimentalWarning'
/** Matches a comment, an empty line, or a name with its value, which may span lines in quotes. */
const ENV_LINE =
  /^[^\S\n]*(#.*|(export\s+)?[\w.-]+[^\S\n]*=[^\S\n]*("[^"]*"|'[^']*'|`[^`]*`|(?!["'`])).*)?$/gm

/** Runs a program with the settings in `.env` (or ENV_FILE), which the environment overrides. */
function runWithSettings(args, env) {
  run([...envFileOptions(), QUIET, ...args], env)
}

/** Returns the options for Node to read `.env`. Checks it first: Node would skip a faulty line or unreadable file. */
function envFileOptions() {
  const file = process.env.ENV_FILE || '.env'
  let text
  try {
    // Windows ends lines with two characters.
    text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
  } catch (error) {
    if (error.code === 'ENOENT' && !process.env.ENV_FILE) return []
    fail(`${file} cannot be read: ${error.message}`)
  }
  // Node would treat it as a part of the first name.
  if (text.startsWith('\uFEFF')) fail(`${file} begins with a byte order mark. Save it as UTF-8 without one.`)
  const faulty = text.replace(ENV_LINE, line => line.replaceAll(/[^\n]/g, '')).split('\n')
  const place = faulty.findIndex(Boolean)
  if (place >= 0)
    fail(`Line ${place + 1} of ${file} is no setting. Write NAME=value; quotes have to be closed.`)
  return [`--env-file=${file}`]
}

const operators = (...args) => runWithSettings([...args, ...rest])
function test(programs, ...options) {
  findTestPrograms(programs)
  buildWebApp()
  run(['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', ...options, ...rest])
}
const TASKS = {
  start() {
    buildWebApp()
    runWithSettings([...MEMORY_OPTIONS, 'deploy/local/main.ts'], MEMORY_ENV)
  },
  test: () => test(TEST_PROGRAMS, ...QUICK_TESTS),
  'test:all': () => test({ ...TEST_PROGRAMS, ...SLOW_TEST_PROGRAMS }),
  bench() {
    // One of its rows measures a second start.
    buildWebApp()
    run([QUIET, 'lab/bench/run.ts', ...rest])
  },
  backup: () => operators('deploy/local/backup.ts', 'backup'),
  restore: () => operators('deploy/local/backup.ts', 'restore'),
  note: () => operators('deploy/local/note.ts'),
  'dead-letters': () => operators('deploy/local/dead-letters.ts'),
  admin: () => operators('deploy/image/admin.ts'),
  doctor: () => operators('deploy/local/doctor/main.ts'),
  migrate: () => operators('deploy/migrate.ts'),
  model: () => operators('services/transcription/src/operators/models.ts'),
  engines: () => operators('services/transcription/src/operators/engines.ts'),
}

process.chdir(root)
if (!Object.hasOwn(TASKS, task)) fail(`Unknown task: ${task}. Known are ${Object.keys(TASKS).join(', ')}.`)
installPackages()
TASKS[task]()
