import { parseArgs } from 'node:util'
import { drill } from './run.ts'
import { table } from './table.ts'

// `npm run drill -- --kills 500 --notes 2000 --seed 7`: injects faults everywhere, then compares the ledgers. Exits
// with 1 if a promise is broken or the system does not settle.

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '25' },
    notes: { type: 'string', default: '150' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const numbers = { kills: Number(values.kills), notes: Number(values.notes), seed: Number(values.seed) }
if (!Object.values(numbers).every(number => Number.isInteger(number) && number > 0)) {
  process.stderr.write('--kills, --notes and --seed are whole numbers\n')
  process.exit(2)
}
const result = await drill(numbers)
process.stdout.write(table(numbers, result))
const isBroken = result.settledMs === null || result.findings.some(({ broken }) => broken.length)
process.exit(isBroken ? 1 : 0)
