import { Router } from 'express'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Database } from './database.ts'
import { createFaults } from './faults.ts'
import { notFound } from './input.ts'

export interface Shared {
  db: Database
  log: Logger
  /** The product's address for the sandbox, without a trailing slash. */
  appUrl: string
}

interface Sender {
  provider: 'whatsapp' | 'stripe' | 'telegram'
  /** Headers over the exact bytes sent; made for each attempt, because Stripe's contain the time. */
  sign(body: string): Record<string, string>
  /** Called once the receiver has responded 2xx, with the id of the message or event. */
  delivered?(subject: string): void
}

interface Delivery {
  id: number
  subject: string
  body: string
  attempts: number
}

export type Deliveries = ReturnType<typeof createDeliveries>

// Providers retry for days. The first retries are quick, so that the order of startup doesn't matter.
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000]
const LATER_MS = 10_000
const POLL_EVERY_MS = 500
const ANSWER_WITHIN_MS = 15_000
const AT_ONCE = 16

const TABLE = `
  CREATE TABLE IF NOT EXISTS webhooks (
    id INTEGER PRIMARY KEY, provider TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'waiting', attempts INTEGER NOT NULL DEFAULT 0, nextAt INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS webhooks_due ON webhooks (provider, status, nextAt);
  CREATE INDEX IF NOT EXISTS webhooks_subject ON webhooks (subject);`

/** Stores webhooks until the product responds 2xx. Retries after 1, 2, 5, then every 10 s; may repeat or reorder. */
export function createDeliveries({ db, log, appUrl }: Shared, { provider, sign, delivered }: Sender) {
  db.exec(TABLE)
  const pausing = createFaults(
    db,
    `${provider}-webhooks`,
    z.object({ paused: z.boolean('paused must be true or false').default(false) }),
  )
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()

  /** Claims due webhooks; one in progress is due again only after the time limit for its response. */
  const claim = db.prepare(
    `UPDATE webhooks SET attempts = attempts + 1, nextAt = ? WHERE id IN (SELECT id FROM webhooks
      WHERE provider = ? AND status = 'waiting' AND nextAt <= ? ORDER BY nextAt, id LIMIT ?) RETURNING *`,
  )
  const settle = db.prepare('UPDATE webhooks SET status = ?, nextAt = ? WHERE id = ?')
  const newest = db.prepare('SELECT * FROM webhooks WHERE provider = ? ORDER BY id DESC LIMIT 100')
  const again = db.prepare(
    `UPDATE webhooks SET status = 'waiting', nextAt = 0 WHERE provider = ? AND (id = ? OR subject = ?)`,
  )
  // Includes webhooks that were in progress when the last process ended.
  db.prepare(`UPDATE webhooks SET nextAt = 0 WHERE provider = ? AND status = 'waiting'`).run(provider)

  /** Whether the receiver responded 2xx. */
  async function isTaken(body: string): Promise<boolean> {
    const answer = await fetch(`${appUrl}/webhooks/${provider}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...sign(body) },
      body,
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    })
    await answer.body?.cancel()
    return answer.ok
  }

  async function attempt({ id, subject, body, attempts }: Delivery) {
    const arrived = await isTaken(body).catch(() => false)
    if (stopping.signal.aborted) return
    const retryAt = Date.now() + (RETRY_DELAYS_MS[attempts - 1] ?? LATER_MS)
    settle.run(arrived ? 'delivered' : 'waiting', retryAt, id)
    if (arrived) delivered?.(subject)
  }

  function pump() {
    if (stopping.signal.aborted || pausing.read().paused) return
    const now = Date.now()
    const due = claim.all(now + 2 * ANSWER_WITHIN_MS, provider, now, AT_ONCE - underWay.size)
    for (const delivery of due as unknown as Delivery[]) {
      const work = attempt(delivery)
        .catch(error => log.error({ err: error }, 'webhook delivery'))
        .finally(() => {
          underWay.delete(work)
          pump()
        })
      underWay.add(work)
    }
  }

  // Runs after the commit of the transaction that enqueued it.
  const wake = () => setImmediate(pump)
  const timer = setInterval(pump, POLL_EVERY_MS).unref()
  wake()

  const api = Router()
  api.get('/', (_request, response) => {
    response.json({ ...pausing.read(), deliveries: newest.all(provider) })
  })
  api.post('/', (request, response) => {
    response.json(pausing.change(request.body))
    wake()
  })
  api.post('/:id/resend', ({ params: { id } }, response) => {
    if (!again.run(provider, id, id).changes) throw notFound('Delivery')
    wake()
    response.status(202).json({ resent: true })
  })

  return {
    /** HTTP API for tests: lists the newest webhooks, pauses, and resends one by its id or its subject's. */
    api,
    enqueue(subject: string, body: string) {
      db.prepare('INSERT INTO webhooks (provider, subject, body) VALUES (?, ?, ?)').run(
        provider,
        subject,
        body,
      )
      wake()
    },
    /** Aborts deliveries in progress; they are sent again at the next start. */
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await Promise.all(underWay)
    },
  }
}
