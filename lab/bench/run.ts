// Measures the figures of docs/performance.md, each next to a baseline of plain parts in the same run. Run: npm run
// bench [-- --only name,name] [--pairs 7] [--write] — on Linux, with ffmpeg and rabbitmq-server, on an otherwise idle
// machine. --only speech compares this machine's transcripts with those of other programs.
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startedBy } from './processes.ts'
import { describeMachine, printed, writePages } from './report.ts'
import type { Measured, Row } from './row.ts'
import { ALL_ROWS } from './rows/all.ts'

/** Minimum number of alternating pairs for `--write`. */
const PAIRS = 7
/** A row that hangs is killed after this multiple of its time on a quiet machine. */
const PATIENCE = 4

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    pairs: { type: 'string', default: String(PAIRS) },
    write: { type: 'boolean', default: false },
  },
})
if (options.only === 'speech') {
  // Only this row needs Python and the peers' packages.
  const { compareSpeech } = await import('./studies/accuracy.ts')
  await compareSpeech()
  process.exit()
}
const pairs = Number(options.pairs)
const wanted = options.only?.split(',')
const rows = ALL_ROWS.filter(({ name }) => !wanted || wanted.includes(name))
if (!rows.length) throw new Error(`There are: ${ALL_ROWS.map(({ name }) => name).join(', ')}`)
if (options.write && (wanted || pairs < PAIRS)) throw new Error('Only a whole run is written')

/** Measures a row in its own process, which is killed with everything that it started once it ends or hangs. */
async function measuredApart({ name, seconds }: Row): Promise<Measured> {
  const limit = PATIENCE * seconds * Math.max(1, pairs / PAIRS)
  const child = fork(join(import.meta.dirname, 'row-process.ts'), [name, String(pairs), String(limit / 2)], {
    // Keeps the terminal's Ctrl-C from ending it before its own processes are found.
    detached: true,
  })
  const end = () => {
    for (const pid of [...startedBy(child.pid!), child.pid!]) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has already ended.
      }
    }
  }
  const timer = setTimeout(end, 1000 * limit)
  const interrupted = () => {
    end()
    process.exit(1)
  }
  process.on('SIGINT', interrupted).on('SIGTERM', interrupted)
  let measured: Measured = { pairs: 0, twins: null, figures: [], voided: 'no figures' }
  child.once('message', message => {
    measured = message as Measured
  })
  await once(child, 'exit')
  clearTimeout(timer)
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
  return measured
}

const results: { row: Row; measured: Measured }[] = []
for (const [at, row] of rows.entries()) {
  process.stderr.write(`${at + 1} of ${rows.length}: ${row.name}, about ${row.seconds} s\n`)
  // Lets the disk finish what the previous row has written and deleted.
  spawnSync('sync')
  let measured = await measuredApart(row)
  if (measured.voided && options.write) measured = await measuredApart(row)
  results.push({ row, measured })
  process.stdout.write(`${printed(row, measured)}\n`)
}
if (options.write) await writePages(results, await describeMachine())
