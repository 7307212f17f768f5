import type { DeadLetter } from '@voxscribe/messaging'

// `npm run dead-letters -- [list|requeue] [queue]`: messages that can never work, and how to try them again.

const { MANAGEMENT_PORT, MANAGEMENT_URL: givenUrl } = process.env
const MANAGEMENT_URL = givenUrl || `http://127.0.0.1:${MANAGEMENT_PORT || 9090}`
const [action = 'list', queue] = process.argv.slice(2)
const REASON_LENGTH = 100

const USAGE = `Dead letters, messages that can never work:

  npm run dead-letters                       lists them
  npm run dead-letters -- list <queue>       lists those of one queue, such as transcription.media-received
  npm run dead-letters -- requeue [queue]    sends them to their receivers again

MANAGEMENT_URL is any service's management port (now ${MANAGEMENT_URL}).`

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

if (!/^https?:/.test(MANAGEMENT_URL) || !URL.canParse(MANAGEMENT_URL))
  fail(
    `${MANAGEMENT_URL} is no address such as http://127.0.0.1:9090: set MANAGEMENT_URL or MANAGEMENT_PORT.`,
  )

async function call<Answer>(method: 'GET' | 'POST', path: string): Promise<Answer> {
  const url = new URL(path, MANAGEMENT_URL)
  if (queue) url.searchParams.set('queue', queue)
  const response = await fetch(url, { method, signal: AbortSignal.timeout(60_000) }).catch(error =>
    fail(
      `Nothing answers at ${MANAGEMENT_URL} (${error.cause?.code ?? error.message}). Is Voxscribe running? Set MANAGEMENT_URL to the management port of a service; on Kubernetes: kubectl port-forward deploy/transcription 9090.`,
    ),
  )
  if (response.ok) return response.json() as Promise<Answer>
  const words = (await response.text()).slice(0, 500)
  return fail(`${MANAGEMENT_URL} answered ${response.status}: is that a management port?\n${words}`)
}

/** Formats letters as a table, oldest first, one line each, with the trace id for `npm run note`. */
function tableOf(letters: DeadLetter[]): string {
  if (!letters.length && queue)
    return `There are no dead letters in a queue ${queue}; without a name all are listed.`
  if (!letters.length) return 'There are no dead letters.'
  const rows = letters.map(({ at, queue, attempts, reason, message }) => {
    const why = reason.replaceAll(/\s+/g, ' ').trim()
    return [
      at.replace('T', ' ').slice(0, 19),
      queue,
      String(attempts),
      (message as { traceId?: string } | null)?.traceId ?? '',
      why.length > REASON_LENGTH ? `${why.slice(0, REASON_LENGTH - 1)}…` : why,
    ]
  })
  const head = ['since', 'queue', 'tries', 'trace', 'why']
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map(row => row[column]!.length)))
  const lines = [head, ...rows].map(row => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
  const queues = new Set(letters.map(({ queue }) => queue)).size
  return `${lines.map(line => line.trimEnd()).join('\n')}

${letters.length} in ${queues} ${queues === 1 ? 'queue' : 'queues'}. When the cause is gone: npm run dead-letters -- requeue [queue]
What happened before: npm run note -- <trace>`
}

if (action === 'list') process.stdout.write(`${tableOf(await call('GET', '/dead-letters'))}\n`)
else if (action === 'requeue') {
  const { requeued } = await call<{ requeued: number }>('POST', '/dead-letters/requeue')
  process.stdout.write(
    `${requeued} ${requeued === 1 ? 'message goes' : 'messages go'} to the receivers again.\n`,
  )
} else fail(USAGE)
