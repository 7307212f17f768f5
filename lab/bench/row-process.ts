// Measures one row for bench/run.ts, in its own process, which is killed if the row hangs or leaves something open.
import { measureRow } from './row.ts'
import { ALL_ROWS } from './rows/all.ts'

const [name, pairs, seconds] = process.argv.slice(2)
const row = ALL_ROWS.find(row => row.name === name)
if (!row) throw new Error(`There is no row ${name}`)
const measured = await measureRow(row, Number(pairs), performance.now() + 1000 * Number(seconds))
process.send?.(measured, () => process.exit())
