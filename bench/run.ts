// The figures of docs/performance.md, each beside a baseline of plain parts in the same run.
// Run: npm run bench [-- --only name,name] [--pairs 7] [--write] — on Linux, with curl and ffmpeg.
import { parseArgs } from 'node:util'
import { within } from '@voxscribe/messaging'
import { describeMachine, printed, writePages } from './report.ts'
import { measureRow, type Row, type RowResult } from './row.ts'
import { busRow } from './rows/bus.ts'
import { historyRow } from './rows/history.ts'
import { manyNotesRows } from './rows/many-notes.ts'
import { noteRows } from './rows/notes.ts'
import { processRows } from './rows/process.ts'
import { webhookRows } from './rows/webhooks.ts'

const ALL: Row[] = [...noteRows, ...webhookRows, historyRow, ...processRows, busRow, ...manyNotesRows]
/** Fewer alternating pairs tell nothing. */
const PAIRS = 7
/** All rows together end within a quarter of an hour. */
const ROW_MS = 200_000
const TOTAL_MS = 14 * 60_000
/** Longer than any row lasts: something in it does not answer. */
const HANGS_MS = 2 * ROW_MS

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    pairs: { type: 'string', default: String(PAIRS) },
    write: { type: 'boolean', default: false },
  },
})
const pairs = Number(options.pairs)
const wanted = options.only?.split(',')
const rows = ALL.filter(({ name }) => !wanted || wanted.includes(name))
if (!rows.length) throw new Error(`There are: ${ALL.map(({ name }) => name).join(', ')}`)
if (options.write && (wanted || pairs < PAIRS)) throw new Error('Only a whole run is written')

function hangs(): never {
  throw new Error('something in it does not answer')
}
const say = (line: string) => process.stdout.write(`${line}\n`)
const end = performance.now() + TOTAL_MS
const results: RowResult[] = []
for (const row of rows) {
  const began = performance.now()
  try {
    if (began > end) throw new Error('no time was left')
    const measuring = measureRow(row, pairs, Math.min(end, began + ROW_MS))
    const result = await within(HANGS_MS, measuring, hangs)
    results.push(result)
    say(printed(result))
  } catch (error) {
    const voided = error instanceof Error ? error.message : String(error)
    results.push({ row, pairs: 0, twins: null, figures: [], voided })
    say(`${row.title}\n  failed: ${voided}`)
  }
  say(`  ${((performance.now() - began) / 1000).toFixed(0)} s`)
}
if (options.write) await writePages(results, await describeMachine())
// A part that a failed row has left open must not keep this from ending.
process.exit()
