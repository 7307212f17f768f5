import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { noteTimeline } from './note-timeline.ts'

// `npm run note -- <id> [log file, or - for standard input]`: a note's whole life.

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

const linesOf = (stream: NodeJS.ReadableStream): AsyncIterable<string> =>
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })

/** Standard input cannot be read twice. */
async function linesOfInput(): Promise<() => AsyncIterable<string>> {
  const kept: string[] = []
  for await (const line of linesOf(process.stdin)) kept.push(line)
  return async function* () {
    yield* kept
  }
}

if (!id) fail(USAGE)
if (place !== '-' && !existsSync(place)) {
  fail(`There is no log at ${place}. Name one after the id, or - for standard input.\n\n${USAGE}`)
}
const lines = place === '-' ? await linesOfInput() : () => linesOf(createReadStream(place))
const timeline = await noteTimeline(id, lines)
if (!timeline) {
  const where = place === '-' ? 'what was read' : place
  fail(
    `Nothing in ${where} belongs to ${id}. It may have been written to another log, or with LOG_LEVEL above info.`,
  )
}
process.stdout.write(timeline)
