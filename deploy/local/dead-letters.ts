import { deadLetterTable } from './dead-letter-table.ts'

// `npm run dead-letters -- [list|requeue] [queue]`: messages that can never work, and how to try them again.

const { MANAGEMENT_URL = 'http://127.0.0.1:9090' } = process.env
const [action = 'list', queue] = process.argv.slice(2)

const USAGE = `Dead letters, messages that can never work:

  npm run dead-letters                       lists them
  npm run dead-letters -- list <queue>       lists those of one queue, such as transcription.media-received
  npm run dead-letters -- requeue [queue]    sends them to their receivers again

MANAGEMENT_URL is any service's management port (now ${MANAGEMENT_URL}).`

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

async function call<Answer>(method: 'GET' | 'POST', path: string): Promise<Answer> {
  const url = new URL(path, MANAGEMENT_URL)
  if (queue) url.searchParams.set('queue', queue)
  const response = await fetch(url, { method, signal: AbortSignal.timeout(60_000) }).catch(error =>
    fail(
      `Nothing answers at ${MANAGEMENT_URL} (${error.cause?.code ?? error.message}). Is Voxscribe running? Set MANAGEMENT_URL to the management port of a service; on Kubernetes: kubectl port-forward deploy/transcription 9090.`,
    ),
  )
  if (!response.ok) {
    fail(
      `${MANAGEMENT_URL} answered ${response.status}: is that a management port?\n${(await response.text()).slice(0, 500)}`,
    )
  }
  return response.json() as Promise<Answer>
}

if (action === 'list') {
  const letters = await call<Parameters<typeof deadLetterTable>[0]>('GET', '/dead-letters')
  process.stdout.write(deadLetterTable(letters))
} else if (action === 'requeue') {
  const { requeued } = await call<{ requeued: number }>('POST', '/dead-letters/requeue')
  process.stdout.write(
    `${requeued} ${requeued === 1 ? 'message goes' : 'messages go'} to the receivers again.\n`,
  )
} else fail(USAGE)
