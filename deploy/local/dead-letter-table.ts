import type { DeadLetter } from '@voxscribe/messaging'

const REASON_LENGTH = 100

/** Oldest first, one line each, with the trace id for `npm run note`. */
export function deadLetterTable(letters: DeadLetter[]): string {
  if (!letters.length) return 'There are no dead letters.\n'
  const rows = [
    ['since', 'queue', 'tries', 'trace', 'why'],
    ...letters.map(({ at, queue, attempts, reason, message }) => [
      at.replace('T', ' ').slice(0, 19),
      queue,
      String(attempts),
      (message as { traceId?: string } | null)?.traceId ?? '',
      shortened(reason),
    ]),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  const lines = rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  )
  const queues = new Set(letters.map(({ queue }) => queue))
  const end = [
    '',
    `${letters.length} in ${queues.size} ${queues.size === 1 ? 'queue' : 'queues'}. When the cause is gone: npm run dead-letters -- requeue [queue]`,
    'What happened before: npm run note -- <trace>',
    '',
  ]
  return [...lines, ...end].join('\n')
}

/** The faults in one line, shortened. */
function shortened(reason: string): string {
  const line = reason.replaceAll(/\s+/g, ' ').trim()
  return line.length > REASON_LENGTH ? `${line.slice(0, REASON_LENGTH - 1)}…` : line
}
