import { parseArgs } from 'node:util'
import { drill } from './run.ts'
import { table } from './table.ts'

// `npm run drill -- --kills 500 --notes 2000 --seed 7`: breaks everything that can break, and counts.

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
process.exit(result.findings.some(({ broken }) => broken.length) ? 1 : 0)
