// The figures of docs/performance.md, each beside a baseline of plain parts in the same run.
// Run: npm run bench [-- --only name,name] [--pairs 7] [--minutes 16] [--write | --again] — on Linux, with curl, ffmpeg
// and rabbitmq-server, on a machine that does nothing else. --again: what was void in the run that was written last.
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine, printed, writePages } from './report.ts'
import type { Measured, Row, RowResult } from './row.ts'
import { allRows } from './rows/all.ts'

/** Fewer alternating pairs tell nothing. */
const PAIRS = 7
/** Time that a row may take beyond its own, to end the pair that it is at and to stop its processes. */
const ENDING_SECONDS = 30

/** Figures of the run that was written last. */
const LAST = join(import.meta.dirname, '../node_modules/.cache/voxscribe-bench.json')

interface Run {
  commit: string
  machine: string[]
  measured: Record<string, Measured>
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    pairs: { type: 'string', default: String(PAIRS) },
    minutes: { type: 'string', default: '16' },
    write: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
  },
})
const pairs = Number(options.pairs)
const wanted = options.only?.split(',')
const last: Run | null = options.again ? JSON.parse(readFileSync(LAST, 'utf8')) : null
if (last) git('diff', '--exit-code', last.commit, '--', 'packages', 'services', 'web', 'deploy')
const rows = allRows.filter(({ name }) =>
  last ? last.measured[name]?.voided : !wanted || wanted.includes(name),
)
if (!rows.length)
  throw new Error(last ? 'Nothing was void' : `There are: ${allRows.map(({ name }) => name).join(', ')}`)
if ((options.write || last) && (wanted || pairs < PAIRS)) throw new Error('Only a whole run is written')

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim()
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const secondsOf = (some: Row[]) => some.reduce((sum, { seconds }) => sum + seconds, 0)

/** Processes that a process has started, and those that they have, even in groups of their own. */
function startedBy(pid: number): number[] {
  const children = readdirSync('/proc').filter(entry => {
    if (!/^\d+$/.test(entry)) return false
    try {
      const stat = readFileSync(join('/proc', entry, 'stat'), 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
  return children.flatMap(child => [...startedBy(Number(child)), Number(child)])
}

/** Measures a row in a process of its own, which has ended by then, whatever hangs. */
async function measuredApart({ name }: Row, seconds: number): Promise<Measured> {
  const child = fork(join(import.meta.dirname, 'row-process.ts'), [name, String(pairs), String(seconds)], {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    // A terminal's Ctrl-C must not end it before what it has started is found.
    detached: true,
  })
  let measured: Measured | undefined
  let trouble = ''
  child.once('message', message => {
    measured = message as Measured
  })
  child.stderr?.on('data', data => {
    process.stderr.write(data)
    trouble = `${trouble}${data}`.slice(-5_000)
  })
  let hangs = false
  const end = () => {
    for (const pid of [...startedBy(child.pid!), child.pid!]) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  const limit = setTimeout(
    () => {
      hangs = true
      end()
    },
    1000 * (seconds + ENDING_SECONDS),
  )
  const interrupted = () => {
    end()
    process.exit(1)
  }
  for (const signal of SIGNALS) process.on(signal, interrupted)
  await once(child, 'exit')
  clearTimeout(limit)
  for (const signal of SIGNALS) process.off(signal, interrupted)
  if (measured) return measured
  throw new Error(hangs ? 'not done in its time' : (/^\w*Error: .*/m.exec(trouble)?.[0] ?? 'no figures'))
}

// Rows share the time by what they need: one that needed less leaves more to the others.
const minutes = (Number(options.minutes) * secondsOf(rows)) / secondsOf(allRows)
const end = performance.now() + 60_000 * minutes
const measured: Run['measured'] = last?.measured ?? {}
for (const [at, row] of rows.entries()) {
  const began = performance.now()
  const share = row.seconds / secondsOf(rows.slice(at))
  const seconds = Math.max(0, (share * (end - began)) / 1000)
  process.stderr.write(`${at + 1} of ${rows.length}: ${row.name}, within ${seconds.toFixed(0)} s\n`)
  try {
    measured[row.name] = await measuredApart(row, seconds)
    say(printed({ row, ...measured[row.name]! }))
  } catch (error) {
    const voided = (error as Error).message
    measured[row.name] = { pairs: 0, twins: null, figures: [], voided }
    say(`${row.title} (${row.name})\n  failed: ${voided}`)
  }
  say(`  ${((performance.now() - began) / 1000).toFixed(0)} s`)
}
if (options.write || last) {
  const machine = last?.machine ?? (await describeMachine())
  const results: RowResult[] = allRows.map(row => ({ row, ...measured[row.name]! }))
  await writePages(results, machine)
  writeFileSync(LAST, JSON.stringify({ commit: last?.commit ?? git('rev-parse', 'HEAD'), machine, measured }))
}
