// What so many notes a minute need of others, from the counts of one note: `e2e/note-budget.ts`, and the commands that
// docs/scale.md has. Run: node lab/bench/studies/counted.ts [--write]; measures nothing.
import { parseArgs } from 'node:util'
import { MESSAGES } from '../../../e2e/note-budget.ts'
import { readPage, table, writeTables } from './scale-page.ts'

const LOADS = [1_000, 10_000, 100_000]
/** Of one number of WhatsApp, in and out together: by default, and after Meta's upgrade. */
const MESSAGES_A_SECOND = [80, 1_000] as const
/** The note comes in, its answer goes out. */
const MESSAGES_OF_A_NOTE = 2
/** Calls a minute of an OpenAI account at its highest tier; a short note is one. */
const CALLS_A_MINUTE = 10_000
/** A voice note of 20 s. */
const NOTE_BYTES = 40_000

const commands = Number(/\*\*all commands\*\*[^|]*\|[^|]*\|[^|]*\|\s*\*\*(\d+)/.exec(await readPage())?.[1])
if (!commands) throw new Error('docs/scale.md has no row of all commands')

const whole = (value: number) => Math.ceil(value).toLocaleString('en')
const rows = LOADS.map(perMinute => {
  const perSecond = perMinute / 60
  const numbers = MESSAGES_A_SECOND.map(most => whole((perSecond * MESSAGES_OF_A_NOTE) / most))
  const gigabytesADay = (perMinute * 1_440 * NOTE_BYTES) / 1e9
  return [
    whole(perMinute),
    ...numbers,
    whole(perMinute / CALLS_A_MINUTE),
    whole(perSecond * commands),
    whole(perSecond * (MESSAGES.publish?.[0] ?? 0)),
    whole(perSecond * (MESSAGES.deliver?.[0] ?? 0)),
    `${whole(gigabytesADay)} GB`,
  ]
})
const heads = [
  'notes a minute',
  ...MESSAGES_A_SECOND.map(most => `WhatsApp numbers of ${whole(most)}/s`),
  `OpenAI accounts of ${whole(CALLS_A_MINUTE)} calls a minute`,
  'database commands a second',
  'publishes a second',
  'deliveries a second',
  'audio a day, 20 s each',
]
const counted = table(heads, rows)
process.stdout.write(`${counted.join('\n')}\n`)
const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } })
if (options.write) await writeTables({ counted })
