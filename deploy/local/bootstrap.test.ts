import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const HERE = import.meta.dirname
const LOCKFILE = 'package-lock.json'
const PROGRAM =
  'process.stdout.write(JSON.stringify([process.env.DATA_DIR, process.env.LOG_LEVEL, ...process.argv.slice(2)]))'

/** A clone with installed packages, whose programs only print two settings and their arguments. */
let clone: string
function put(path: string, text: string) {
  mkdirSync(join(clone, dirname(path)), { recursive: true })
  writeFileSync(join(clone, path), text)
}
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'voxscribe-bootstrap-'))
  for (const file of ['bootstrap.mjs', 'hand-over.mjs', 'memory.mjs'])
    cpSync(join(HERE, file), join(clone, 'deploy/local', file))
  for (const folder of [
    'web/dist',
    'packages/contracts/src',
    'packages/languages',
    'docs',
    'node_modules/node/bin',
  ])
    mkdirSync(join(clone, folder), { recursive: true })
  symlinkSync(process.execPath, join(clone, 'node_modules/node/bin/node'))
  put(LOCKFILE, '{}')
  put('node_modules/.installed-lockfile', createHash('sha256').update(`${LOCKFILE}{}`).digest('hex'))
  put('node_modules/vite/bin/vite.js', '')
  put('package.json', '{ "type": "module" }')
})
afterEach(() => rmSync(clone, { recursive: true }))

function run(task: string, env: Record<string, string> = {}, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(clone, 'deploy/local/bootstrap.mjs'), task, ...args],
    { cwd: tmpdir(), env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' },
  )
  return { status, stderr, printed: stdout.split('\n').at(-1) }
}

const COMMANDS = [
  ['start', 'deploy/local/main.ts'],
  ['backup', 'deploy/local/backup.ts', 'backup'],
  ['restore', 'deploy/local/backup.ts', 'restore'],
  ['note', 'deploy/local/note.ts'],
  ['dead-letters', 'deploy/local/dead-letters.ts'],
  ['admin', 'deploy/image/admin.ts'],
  ['doctor', 'deploy/local/doctor/main.ts'],
  ['migrate', 'deploy/migrate.ts'],
  ['model', 'services/transcription/src/operators/models.ts'],
] as const

test.each(COMMANDS)(
  'when %s runs, then it has what .env says and the environment does not',
  (task, program, ...own) => {
    put(program, PROGRAM)
    put(
      '.env',
      '# One\nexport DATA_DIR="/our data" # here\n\nJWT_PRIVATE_KEY="---\nMII\n---"\nLOG_LEVEL=warn\n',
    )
    const rest = task === 'start' ? [] : ['--json']
    const printed = ['/our data', 'debug', ...own, ...rest]
    expect(run(task, { LOG_LEVEL: 'debug' }, ...rest).printed).toBe(JSON.stringify(printed))
  },
)

test('when there is no .env, or ENV_FILE names another one, then it plays no part', () => {
  put('deploy/local/note.ts', PROGRAM)
  expect(run('note').printed).toBe('[null,null]')
  put('.env', 'DATA_DIR=/from-the-file')
  expect(run('note', { ENV_FILE: '/dev/null' }).printed).toBe('[null,null]')
  expect(run('note', { ENV_FILE: 'missing' }).stderr).toContain('missing cannot be read')
})

test('when a measurement runs, then .env has no part in it', () => {
  put('lab/bench/run.ts', PROGRAM)
  put('.env', 'DATA_DIR=/from-the-file\n')
  expect(run('bench').printed).toBe('[null,null]')
})

test.each([
  ['a line is no setting', 'A=1\nDATA DIR=/x\n', 'line 2 of .env is no setting'],
  ['its first bytes are a mark', '\uFEFFDATA_DIR=/x\n', '.env begins with a byte order mark'],
  ['a quote stays open', '\n# One\nDATA_DIR="/x\nB=2\n', 'line 3 of .env is no setting'],
])('when %s, then that is said, without its content', (_what, text, sentence) => {
  put('deploy/local/note.ts', PROGRAM)
  put('.env', text)
  const { status, stderr, printed } = run('note')
  expect({ status, printed }).toEqual({ status: 1, printed: '' })
  expect(stderr.toLowerCase()).toContain(sentence)
  expect(stderr).not.toContain('/x')
})

test('when .env cannot be read, then nothing runs without it', () => {
  put('deploy/local/note.ts', PROGRAM)
  mkdirSync(join(clone, '.env'))
  expect(run('note')).toMatchObject({
    status: 1,
    printed: '',
    stderr: expect.stringContaining('.env cannot be read'),
  })
  rmSync(join(clone, '.env'), { recursive: true })
  if (process.getuid?.() === 0) return
  put('.env', 'DATA_DIR=/x\n')
  chmodSync(join(clone, '.env'), 0)
  expect(run('note')).toMatchObject({ status: 1, stderr: expect.stringContaining('.env cannot be read') })
})

test('when .env was saved on Windows, then it says the same', () => {
  put('deploy/local/note.ts', PROGRAM)
  put('.env', '# One\r\nDATA_DIR=/ours\r\n\r\nLOG_LEVEL="warn"\r\n')
  expect(run('note').printed).toBe(JSON.stringify(['/ours', 'warn']))
})
