// The first thing `npm start`, `npm test` and `npm run bench` run. Plain JavaScript that any Node from 20 on
// understands: it installs what is missing (Node 24 comes as a package), then hands over to the TypeScript.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(fileURLToPath(import.meta.url), '../../..')
const [task = 'start', ...rest] = process.argv.slice(2)
const node24 = join(root, 'node_modules/node/bin/node')

const say = line => process.stdout.write(`• ${line}\n`)

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

/** Runs a command quietly; its output is shown only when it fails. */
function quietly(command, args, what) {
  const result = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (result.status === 0) return
  process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}\n`)
  fail(`${what} failed.`)
}

const seconds = since => `${((Date.now() - since) / 1000).toFixed(1)} s`

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

/** Does the work only when the inputs have changed since it was last done. */
function whenChanged(stampFile, hash, work) {
  const stamp = join(root, stampFile)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  work()
  writeFileSync(stamp, hash)
}

function installPackages() {
  whenChanged('node_modules/.installed-lockfile', hashOf(['package-lock.json']), () => {
    say('Installing packages (the first time takes a minute or two) …')
    const started = Date.now()
    quietly('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], 'npm ci')
    say(`Packages are installed (${seconds(started)}).`)
  })
  if (!existsSync(node24))
    fail('The package `node` did not install its binary. Run `npm rebuild node` and try again.')
}

function buildWebApp() {
  const inputs = [...filesBelow('web'), ...filesBelow('packages/contracts/src'), 'package-lock.json']
  whenChanged('web/dist/.built', hashOf(inputs), () => {
    say('Building the web application …')
    const started = Date.now()
    quietly(
      node24,
      [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--logLevel', 'warn'],
      'Building the web application',
    )
    say(`The web application is built (${seconds(started)}).`)
  })
}

const onPath = program =>
  (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, program)))
const debianRoot = () => process.getuid?.() === 0 && existsSync('/etc/debian_version') && onPath('apt-get')

function aptInstall(packages, why) {
  say(`Installing ${packages.join(', ')} with apt-get: ${why} …`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  // With an outdated list the install itself fails.
  spawnSync('apt-get', ['update', '-qq'], { env: { ...process.env, ...env } })
  const result = spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  if (result.status !== 0) say(`apt-get could not install them:\n${result.stderr}`)
  return result.status === 0
}

/** Programs that some tests drive: program → Debian packages. */
const TEST_PROGRAMS = {
  'rabbitmq-server': ['rabbitmq-server'],
  chromium: ['chromium'],
  pocketsphinx_continuous: ['pocketsphinx'],
  ffmpeg: ['ffmpeg'],
  promtool: ['prometheus'],
}
/** For slow tests; WebKit plays sound through GStreamer, and needs a screen. */
const SLOW_TEST_PROGRAMS = {
  'firefox-esr': ['firefox-esr'],
  WebKitWebDriver: ['webkit2gtk-driver', 'gstreamer1.0-plugins-good', 'gstreamer1.0-libav'],
  'xvfb-run': ['xvfb', 'xauth'],
}
/** Leaves out slow tests. Tests of the parts wait as much as they compute: three at once on two cores. */
const QUICK_TESTS = [
  '--testPathIgnorePatterns=\\.slow\\.test\\.tsx?$',
  `--maxWorkers=${Math.ceil(1.5 * availableParallelism())}`,
]
const TEST_FILES = {
  '/usr/share/pocketsphinx/model/en-us/en-us': 'pocketsphinx-en-us',
  '/usr/share/pocketsphinx/test/data/librivox': 'pocketsphinx-testdata',
}

function findTestPrograms(programs) {
  const missing = () => [
    ...Object.entries(programs)
      .filter(([program]) => !onPath(program) && !onSbin(program))
      .flatMap(([, packages]) => packages),
    ...Object.entries(TEST_FILES)
      .filter(([path]) => !existsSync(path))
      .map(([, name]) => name),
  ]
  if (missing().length && debianRoot()) aptInstall(missing(), 'the tests use them')
  if (!missing().length) return
  const list = `Not on this machine, so the tests that need them are left out: ${missing().join(', ')}.`
  if (process.env.CI) fail(list)
  say(list)
}

const onSbin = program => existsSync(join('/usr/sbin', program))

/** Hands over, passes signals on and ends as the child ends. A child whose parent is gone stops by itself (IPC). */
function handOver(args) {
  const child = spawn(node24, args, {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      // Most of a start is reading modules: what was compiled is kept for the next one.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/voxscribe'),
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH ?? ''}`,
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  // npm passes signals on (`exec` in package.json leaves no shell between that would swallow them), but not its own
  // sudden end, after which nothing could stop this process.
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

process.chdir(root)
installPackages()
if (task === 'start') {
  buildWebApp()
  // Without the warning at each start that SQLite in Node is experimental.
  // A young generation of the usual 16 MB fills with dead buffers of files.
  handOver(['--disable-warning=ExperimentalWarning', '--max-semi-space-size=2', 'deploy/local/main.ts'])
} else if (task === 'test' || task === 'test:all') {
  findTestPrograms({ ...TEST_PROGRAMS, ...(task === 'test:all' && SLOW_TEST_PROGRAMS) })
  buildWebApp()
  handOver([
    '--experimental-vm-modules',
    '--no-warnings',
    'node_modules/jest/bin/jest.js',
    ...(task === 'test' ? QUICK_TESTS : []),
    ...rest,
  ])
} else if (task === 'bench') {
  // One row of it measures a second start.
  buildWebApp()
  handOver(['--disable-warning=ExperimentalWarning', 'bench/run.ts', ...rest])
} else if (task === 'model') {
  handOver(['--disable-warning=ExperimentalWarning', 'services/transcription/src/models/cli.ts', ...rest])
} else {
  fail(`Unknown task: ${task}. Known are start, test, test:all, bench and model.`)
}
