// Runs with the contracts of a release, whose path is its argument: reads events from standard input, as `exchange`
// sends them, and prints the release's own events and which of the given ones it reads.
import { text } from 'node:stream/consumers'
import { samplesOf } from './samples-of.ts'

const { flow }: typeof import('../wire/events.ts') = await import(process.argv[2]!)
const events = Object.values(flow).map(({ event }) => event)
const sent = events.flatMap(event => samplesOf(event.schema).map(sample => event.create(sample as never)))
const received: { type: string }[] = JSON.parse(await text(process.stdin))
process.stdout.write(
  JSON.stringify({ sent, names: events.map(({ name }) => name), read: received.map(isRead) }),
)

function isRead(message: { type: string }): boolean {
  try {
    return Boolean(events.find(({ name }) => name === message.type)?.parse(message))
  } catch {
    return false
  }
}
