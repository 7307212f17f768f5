import { flow } from '@voxscribe/contracts/events'
import { table } from './table.ts'

const entries = Object.entries(flow)

/** Events of a note's way from its file to its answer, in order. */
const NOTE_WAY: (keyof typeof flow)[] = [
  'MediaReceived',
  'MediaNormalised',
  'QuotaReserved',
  'TranscriptionCompleted',
]

/** A note's way through the services, as GitHub draws it. */
export function wayDiagram(): string {
  const arrows = NOTE_WAY.flatMap(name =>
    flow[name].to.map(to => `  ${flow[name].from} -- ${name} --> ${to}`),
  )
  return ['```mermaid', 'flowchart LR', ...arrows, '```', ''].join('\n')
}

/** Every event with its routing key, sender and receivers. */
export function flowTable(): string {
  const rows = entries.map(([name, { event, from, to }]) => [
    name,
    `\`${event.routingKey}\``,
    from,
    to.join(', '),
  ])
  return `${table([['event', 'routing key', 'from', 'to'], ...rows])}\n`
}
