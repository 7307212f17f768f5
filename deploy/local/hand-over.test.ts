import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const ENDING = join(import.meta.dirname, '../../packages/service/src/run/ending.ts')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voxscribe-hand-over-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Hands over to a program whose every start adds a character to `starts`; in the program, `start` is its number. */
async function run(program: string, command = process.execPath) {
  const starts = join(folder, 'starts')
  const script = join(folder, 'program.mjs')
  await writeFile(
    script,
    `import { appendFileSync, readFileSync } from 'node:fs'
     appendFileSync('${starts}', 'x')
     const start = readFileSync('${starts}', 'utf8').length
     const send = state => new Promise(resolve => process.send(state, resolve))
     process.on('disconnect', () => process.exit())
     ${program}`,
  )
  const handingOver = `import { handOver } from '${import.meta.dirname}/hand-over.mjs'
    handOver('${command}', ['${script}'], { env: process.env, say: line => console.log(line) })`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', handingOver], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  parent.stdout.setEncoding('utf8')
  const ended = once(parent, 'exit')
  return {
    parent,
    said: text(parent.stdout),
    /** Resolves to its exit code, and the number of times that the program was started. */
    end: async () => [(await ended)[0], (await readFile(starts, 'utf8')).length],
  }
}

test('when a program crashes after it served, then it starts again, at once, then after a second, and says so', async () => {
  const { said, end } = await run(`
    if (start === 2) process.kill(process.pid, 'SIGKILL')
    await send('serving')
    if (start === 1) throw new Error('A bug')
    process.exit(0)`)
  expect(await end()).toEqual([0, 3])
  expect(await said).toBe(
    'Voxscribe crashed (exit code 1). It starts again now; nothing is lost.\n' +
      'Voxscribe crashed (SIGKILL). It starts again in 1 s; nothing is lost.\n',
  )
})

test('when a program cannot be started again, as while its packages are replaced, then that is tried further', async () => {
  const command = join(folder, 'node')
  await symlink(process.execPath, command)
  const { parent, said, end } = await run(
    `if (start > 1) process.exit(0)
     await send('serving')
     const { rmSync } = await import('node:fs')
     rmSync('${command}')
     process.exit(1)`,
    command,
  )
  parent.stdout.on('data', chunk => {
    if (chunk.includes('in 1 s')) void symlink(process.execPath, command)
  })
  expect(await end()).toEqual([0, 2])
  expect(await said).toMatch(/ENOENT.* in 1 s/)
})

test.each([
  [
    'it asks to be restarted',
    'restart()',
    [0, 2],
    /^stopped\nVoxscribe crashed \(exit code 1\)\. It starts again now;/,
  ],
  ['a signal stops it', `process.kill(process.pid, 'SIGTERM')`, [0, 1], /^stopped\n$/],
])('when %s, then it stops cleanly first', async (_what, ends, expected, words) => {
  const { said, end } = await run(`
    const { isRestarting, restart, stopOnSignal } = await import('${ENDING}')
    stopOnSignal(async () => {
      if (!isRestarting()) await send('stopping')
      console.log('stopped')
    }, async () => {})
    await send('serving')
    if (start === 2) process.exit(0)
    ${ends}`)
  expect(await end()).toEqual(expected)
  expect(await said).toMatch(words)
})

test.each([
  ['it never served, as with a wrong setting', 'process.exit(3)', 3],
  ['it was told to stop', `await send('serving'); await send('stopping'); process.exit(4)`, 4],
  ['it ended by itself', `await send('serving'); process.exit(0)`, 0],
])('when a program ends and %s, then it does not start again', async (_why, program, code) => {
  const { said, end } = await run(program)
  expect(await end()).toEqual([code, 1])
  expect(await said).toBe('')
})

test.each([
  [
    'while it serves',
    `await send('serving'); console.log('ready'); setInterval(() => {}, 1000)`,
    'ready',
    1,
    1,
  ],
  [
    'while it waits to start again',
    `await send('serving'); process.kill(process.pid, 'SIGKILL')`,
    'in 1 s',
    0,
    2,
  ],
])('when a signal comes %s, then all ends', async (_when, program, sign, code, starts) => {
  const { parent, end } = await run(program)
  let said = ''
  parent.stdout.on('data', chunk => {
    said += chunk
    if (said.includes(sign)) parent.kill('SIGTERM')
  })
  expect(await end()).toEqual([code, starts])
})
