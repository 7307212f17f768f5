import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { MESSENGER_NAMES } from '@voxscribe/contracts/channels'
import { mediaIdOf, receiptId } from '../../services/ingestion/src/senders/inbound.ts'

// `npm run note -- <id> [log file, or - for standard input]`: prints a note's whole life.

type Lines = AsyncIterable<string> | Iterable<string>

interface Line {
  time: number
  level: number
  service?: string
  msg?: string
  traceId?: string
  [field: string]: unknown
}

const WARNING = 40
const ERROR = 50
/** A provider's message carries one note; Twilio allows ten. */
const MEDIA_PER_MESSAGE = 10

/**
 * Returns everything that happened to a note, as text. `id`: that of its transcription, its trace, or the provider's
 * message, which isn't in the logs (WhatsApp's contains the number). Null if the log doesn't have it.
 */
async function timelineOf(id: string, lines: () => Lines): Promise<string | null> {
  const wanted = idsOf(id)
  const traces = new Set<string>()
  const notes = new Set<string>()
  for await (const text of lines()) {
    const line = wanted.some(each => text.includes(each)) ? read(text) : undefined
    // Reading a note is not part of its life.
    if (!line?.traceId || line.method === 'GET') continue
    traces.add(line.traceId)
    const note = noteOf(line)
    if (note && wanted.includes(note)) notes.add(note)
  }
  const found: Line[] = []
  for await (const text of lines()) {
    const line = [...traces].some(trace => text.includes(trace)) ? read(text) : undefined
    if (!line || !traces.has(line.traceId ?? '')) continue
    // One webhook may have brought several notes.
    const note = noteOf(line)
    if (!notes.size || !note || notes.has(note)) found.push(line)
  }
  return found.length ? presentTimeline(found, [...traces]) : null
}

function idsOf(id: string): string[] {
  // A W3C trace id is the same without dashes.
  const dashed = id
    .toLowerCase()
    .replace(/^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/, '$1-$2-$3-$4-$5')
  const ofMessage = MESSENGER_NAMES.flatMap(channel => {
    const receipt = receiptId(channel, id)
    return Array.from({ length: MEDIA_PER_MESSAGE }, (_, index) => mediaIdOf(receipt, index))
  })
  return [dashed, id, ...ofMessage]
}

/** Parses a log line. Skips a prefix before the JSON (`ingestion-1  | {…}`), as in collected container logs. */
function read(text: string): Line | undefined {
  try {
    const line = JSON.parse(text.slice(text.indexOf('{')))
    return typeof line.time === 'number' && typeof line.level === 'number' ? line : undefined
  } catch {
    return undefined
  }
}

const noteOf = ({ transcriptionId, mediaId }: Line) => (transcriptionId ?? mediaId) as string | undefined

function presentTimeline(lines: Line[], traces: string[]): string {
  const inOrder = lines.toSorted((a, b) => a.time - b.time)
  const [first, last] = [inOrder[0]!, inOrder.at(-1)!]
  const count = (level: number) => lines.filter(line => line.level >= level).length
  const rows = inOrder.map(line => {
    const clock = new Date(line.time).toISOString().slice(11, 23)
    const after = `+${line.time - first.time} ms`.padStart(11)
    return `${clock} ${after}  ${(line.service ?? '').padEnd(14)}${whatHappened(line)}`
  })
  const notes = new Set(lines.map(noteOf).filter(Boolean))
  return [
    `${notes.size === 1 ? 'Note' : 'Notes'} ${[...notes].join(', ')}`,
    `Trace ${traces.join(', ')}`,
    `${new Date(first.time).toISOString()} to ${new Date(last.time).toISOString()}: ${inSeconds(last.time - first.time)}, ${count(WARNING) - count(ERROR)} warnings, ${count(ERROR)} errors`,
    '',
    ...rows,
    '',
  ].join('\n')
}

const inSeconds = (ms: number) => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`

function whatHappened(line: Line): string {
  const { msg = '', event, method, path, status, seconds, level, err, reason, code, queue } = line
  const what = [
    level >= ERROR ? 'ERROR' : level >= WARNING ? 'WARNING' : '',
    msg,
    event ?? '',
    method ? `${method} ${path}: ${status}` : '',
    queue && !event ? `(${queue})` : '',
    typeof seconds === 'number' ? `in ${inSeconds(seconds * 1000)}` : '',
    code !== undefined ? `code ${code}` : '',
  ]
  const why = (err as { message?: string } | undefined)?.message ?? reason ?? line.message
  return `${what.filter(Boolean).join(' ')}${why ? `: ${why}` : ''}`
}

// An empty variable counts as unset, as everywhere.
const { DATA_DIR, LOG_FILE } = process.env
const [id, place = LOG_FILE || `${DATA_DIR || '.data'}/voxscribe.log`] = process.argv.slice(2)

const USAGE = `What happened to a note:

  npm run note -- <transcription id | trace id | message id>            looks into ${place}
  npm run note -- <id> <file>                                           looks into another log
  docker compose logs --no-color | npm run -s note -- <id> -            reads standard input
`

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

async function openLines(): Promise<() => Lines> {
  if (place === '-') {
    // Kept, because standard input can't be read twice.
    const kept = await Array.fromAsync(createInterface({ input: process.stdin }))
    return () => kept
  }
  if (existsSync(place)) return () => createInterface({ input: createReadStream(place) })
  return fail(`There is no log at ${place}. Name one after the id, or - for standard input.\n\n${USAGE}`)
}

if (!id) fail(USAGE)
const timeline = await timelineOf(id, await openLines()).catch((error: NodeJS.ErrnoException) =>
  fail(`${place} cannot be read (${error.code ?? error.message}). Name a log after the id.`),
)
const where = place === '-' ? 'what was read' : place
process.stdout.write(
  timeline ??
    fail(
      `Nothing in ${where} belongs to ${id}. It may have been written to another log, or with LOG_LEVEL above info.`,
    ),
)
