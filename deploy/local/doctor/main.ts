import { diagnose } from './doctor.ts'

// `npm run doctor [-- --json]`: checks a real installation with its settings.

const lines = await diagnose(process.env)
const wide = Math.max(...lines.map(({ name }) => name.length))
const shown = process.argv.includes('--json')
  ? JSON.stringify(lines, null, 2)
  : lines
      .map(({ name, state, saw, next }) => {
        const line = `${state.padEnd(7)}  ${name.padEnd(wide)}  ${saw}`
        return next ? `${line}\n${' '.repeat(wide + 11)}→ ${next}` : line
      })
      .join('\n')
process.stdout.write(`${shown}\n`)
// Checks that timed out are still running.
process.exit(lines.some(({ state }) => state === 'wrong') ? 1 : 0)
