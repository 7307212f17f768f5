import { randomUUID } from 'node:crypto'
import { Router } from 'express'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Database } from './database.ts'
import { createFaults } from './faults.ts'
import { check, notFound } from './input.ts'

const PROVIDERS = ['whatsapp', 'stripe'] as const
export type Provider = (typeof PROVIDERS)[number]

interface Target {
  url: string
  /** Headers over the exact bytes that are sent; made for each attempt, because Stripe's carry the time. */
  sign(body: string): Record<string, string>
  /** Called once the receiver has answered 2xx. */
  delivered?(delivery: Delivery): void
}

export interface Delivery {
  id: string
  provider: Provider
  /** The id of the message or event inside. */
  subject: string
  body: string
  status: 'waiting' | 'delivered' | 'failed'
  attempts: number
  /** Milliseconds since 1970. */
  createdAt: number
  nextAt: number
}

export type Deliveries = ReturnType<typeof createDeliveries>

// Providers retry for days. The first retries come quickly, so that it does not matter what starts first.
const RETRY_DELAYS_MS = [1_000, 2_000, 5_000]
const LATER_MS = 10_000
const KEEP_TRYING_MS = 3 * 24 * 3_600_000
const ANSWER_WITHIN_MS = 15_000
const AT_ONCE = 16
const KEPT = 5_000

const Paused = z.object({ whatsapp: z.boolean().default(false), stripe: z.boolean().default(false) })

const TABLE = `
  CREATE TABLE IF NOT EXISTS deliveries (
    id TEXT PRIMARY KEY, provider TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL,
    status TEXT NOT NULL, attempts INTEGER NOT NULL, createdAt INTEGER NOT NULL, nextAt INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (status, nextAt);
  CREATE INDEX IF NOT EXISTS deliveries_subject ON deliveries (subject);`

const retryDelay = (attempts: number) => RETRY_DELAYS_MS[attempts - 1] ?? LATER_MS

/**
 * Webhooks on their way to the product: kept until the product answers 2xx, retried after 1 s, 2 s, 5 s, then every
 * 10 s for three days. Like the real ones they may arrive out of order or twice.
 */
export function createDeliveries(deps: { db: Database; log: Logger; now?: () => number }) {
  const { db, log, now = Date.now } = deps
  const { read: paused, change: pause } = createFaults(db, 'webhooks-paused', Paused)
  const targets: Partial<Record<Provider, Target>> = {}
  db.exec(TABLE)
  const inFlight = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined

  const select = db.prepare(
    `SELECT * FROM deliveries WHERE status = 'waiting' AND nextAt <= ?
      AND provider IN (SELECT value FROM json_each(?)) ORDER BY nextAt, rowid LIMIT ?`,
  )
  const next = db.prepare(`SELECT MIN(nextAt) AS at FROM deliveries WHERE status = 'waiting' AND nextAt > ?`)
  const update = db.prepare('UPDATE deliveries SET status = ?, attempts = ?, nextAt = ? WHERE id = ?')

  /** Whether the receiver answered 2xx. */
  async function isTaken({ url, sign }: Target, body: string): Promise<boolean> {
    const answer = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...sign(body) },
      body,
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    })
    await answer.body?.cancel()
    return answer.ok
  }

  async function attempt(delivery: Delivery) {
    const target = targets[delivery.provider]
    if (!target) return
    const attempts = delivery.attempts + 1
    const arrived = await isTaken(target, delivery.body).catch(() => false)
    if (stopping.signal.aborted) return
    const tooOld = now() - delivery.createdAt > KEEP_TRYING_MS
    const status = arrived ? 'delivered' : tooOld ? 'failed' : 'waiting'
    update.run(status, attempts, now() + retryDelay(attempts), delivery.id)
    if (arrived) target.delivered?.(delivery)
  }

  function start(delivery: Delivery) {
    const work = attempt(delivery)
      .catch(error => log.error({ err: error }, 'webhook delivery'))
      .finally(() => {
        inFlight.delete(delivery.id)
        pump()
      })
    inFlight.set(delivery.id, work)
  }

  function pump() {
    if (stopping.signal.aborted) return
    clearTimeout(timer)
    // Both queries use the same time: neither would see a webhook that falls due between two readings of the clock.
    const at = now()
    const held = paused()
    const open = PROVIDERS.filter(provider => targets[provider] && !held[provider])
    if (!open.length) return
    const due = select.all(at, JSON.stringify(open), 2 * AT_ONCE) as unknown as Delivery[]
    for (const delivery of due) {
      if (inFlight.size >= AT_ONCE) break
      if (!inFlight.has(delivery.id)) start(delivery)
    }
    const nextAt = next.get(at)?.at
    if (nextAt) timer = setTimeout(pump, Math.max(Number(nextAt) - at, 20))
  }

  // After the commit of the transaction that enqueued it, and after the start named the receivers.
  const wake = () => setImmediate(pump)

  db.prepare(
    `DELETE FROM deliveries WHERE status <> 'waiting' AND rowid <= (SELECT MAX(rowid) FROM deliveries) - ?`,
  ).run(KEPT)
  wake()

  return {
    /** Names the receiver of a provider's webhooks; until then they wait. */
    sendTo(provider: Provider, target: Target) {
      targets[provider] = target
    },
    enqueue(provider: Provider, subject: string, body: string) {
      const values = [randomUUID(), provider, subject, body, now(), now()]
      db.prepare(`INSERT INTO deliveries VALUES (?, ?, ?, ?, 'waiting', 0, ?, ?)`).run(...values)
      wake()
    },
    /** The newest first. */
    list: (provider: Provider, limit = 100) =>
      db
        .prepare('SELECT * FROM deliveries WHERE provider = ? ORDER BY rowid DESC LIMIT ?')
        .all(provider, limit) as unknown as Delivery[],
    /** Sends the same bytes again, by the id of the delivery or of the object inside; false when there is none. */
    resend(id: string) {
      const { changes } = db
        .prepare(
          `UPDATE deliveries SET status = 'waiting', nextAt = ?, createdAt = ? WHERE ? IN (id, subject)`,
        )
        .run(now(), now(), id)
      wake()
      return changes > 0
    },
    paused,
    pause(provider: Provider, on: boolean) {
      pause({ [provider]: on })
      wake()
    },
    /** Aborts deliveries in flight; they are sent again at the next start. */
    async stop() {
      clearTimeout(timer)
      stopping.abort()
      await Promise.all(inFlight.values())
    },
  }
}

/** The webhooks of one provider for the pages and the tests: the newest, pausing, sending one once more. */
export function webhooksApi(deliveries: Deliveries, provider: Provider) {
  const router = Router()
  const paused = () => deliveries.paused()[provider]
  router.get('/', (_request, response) => {
    response.json({ paused: paused(), deliveries: deliveries.list(provider) })
  })
  router.post('/', (request, response) => {
    const Body = z.object({ paused: z.boolean('paused must be true or false') })
    deliveries.pause(provider, check(Body, request.body).paused)
    response.json({ paused: paused() })
  })
  router.post('/:id/resend', (request, response) => {
    if (!deliveries.resend(String(request.params.id))) throw notFound('Delivery')
    response.status(202).json({ resent: true })
  })
  return router
}
