// Measures one row for bench/run.ts: a row that hangs, or leaves something open, is ended with its process.
import { type Measured, measureRow } from './row.ts'
import { allRows } from './rows/all.ts'

const [name, pairs, seconds] = process.argv.slice(2)
const row = allRows.find(row => row.name === name)
if (!row) throw new Error(`There is no row ${name}`)
const end = performance.now() + 1000 * Number(seconds)
const measured: Measured = await measureRow(row, Number(pairs), end)
process.send?.(measured, () => process.exit())
