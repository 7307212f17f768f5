import { flow } from '@voxscribe/contracts/events'
import { table } from './table.ts'

const entries = Object.entries(flow)

/** Services and the events between them, as GitHub draws it. */
export function flowDiagram(): string {
  const arrows = new Map<string, string[]>()
  for (const [name, { from, to }] of entries) {
    for (const receiver of to)
      arrows.set(`${from} ${receiver}`, [...(arrows.get(`${from} ${receiver}`) ?? []), name])
  }
  const lines = [...arrows].map(([ends, names]) => {
    const [from, to] = ends.split(' ')
    return `  ${from} -- "${names.join('<br>')}" --> ${to}`
  })
  return ['```mermaid', 'flowchart LR', ...lines, '```', ''].join('\n')
}

/** The same as a table, with the keys that stand on the wire. */
export function flowTable(): string {
  const rows = entries.map(([name, { event, from, to }]) => [
    name,
    `\`${event.routingKey}\``,
    from,
    to.join(', '),
  ])
  return `${table([['event', 'routing key', 'from', 'to'], ...rows])}\n`
}
