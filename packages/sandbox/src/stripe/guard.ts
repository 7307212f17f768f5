import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'
import { z } from 'zod'
import type { Database } from '../database.ts'
import { calls, type Faults } from '../faults.ts'
import { invalid, StripeApiError } from './errors.ts'

/** Fault that the next n API calls meet. */
export const StripeFaultCounts = z.object({
  /** Answered 500, nothing done. */
  error: calls,
  /** Answered 429, nothing done. */
  rateLimited: calls,
  /** Never answered, nothing done. */
  hang: calls,
  /** Done, but the connection breaks before the answer. */
  lost: calls,
})

export type StripeFaults = Faults<typeof StripeFaultCounts>

const hash = (text: string) => createHash('sha256').update(text).digest()

/** Runs before every call: sets a request id, checks the secret key, and applies the faults asked for. */
export function guard({ secretKey, faults }: { secretKey: string; faults: StripeFaults }) {
  return (request: Request, response: Response, next: NextFunction) => {
    response.set('request-id', `req_${randomBytes(7).toString('hex')}`)
    const [, key = ''] = /^Bearer (.+)$/i.exec(request.get('authorization') ?? '') ?? []
    if (!timingSafeEqual(hash(key), hash(secretKey)))
      throw new StripeApiError(401, `Invalid API Key provided: ${key.slice(0, 8)}********${key.slice(-4)}`)
    if (faults.strikes('error'))
      throw new StripeApiError(500, 'An unknown error occurred.', { type: 'api_error' })
    if (faults.strikes('rateLimited'))
      throw new StripeApiError(429, 'Request rate limit exceeded.', { code: 'rate_limit' })
    if (faults.strikes('hang')) return
    if (faults.strikes('lost')) response.json = () => response.destroy() && response
    next()
  }
}

const KEPT_MS = 24 * 3_600_000

/**
 * Idempotency keys: the same request gets the stored answer, another request with the same key is an error. Refusals are
 * not stored, so that the request can be tried again.
 */
export function createIdempotency(db: Database) {
  db.exec(`CREATE TABLE IF NOT EXISTS stripe_answers (
    key TEXT PRIMARY KEY, request TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL) STRICT`)
  db.prepare('DELETE FROM stripe_answers WHERE at < ?').run(Date.now() - KEPT_MS)
  const select = db.prepare('SELECT request, body FROM stripe_answers WHERE key = ?')
  const insert = db.prepare('INSERT OR IGNORE INTO stripe_answers VALUES (?, ?, ?, ?)')
  return {
    replay(request: Request, response: Response, next: NextFunction) {
      const key = request.method === 'POST' && request.get('idempotency-key')
      if (!key) return next()
      const asked = hash(`${request.path}\n${JSON.stringify(request.body)}`).toString('hex')
      const known = select.get(key)
      if (known && known.request !== asked)
        throw invalid(
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
          { type: 'idempotency_error' },
        )
      if (known) return response.set('idempotent-replayed', 'true').json(JSON.parse(String(known.body)))
      response.locals.keep = (body: object) => insert.run(key, asked, JSON.stringify(body), Date.now())
      next()
    },
    /** Stores an answer under the request's key; called in the transaction that makes the change. */
    keep: (response: Response, body: object) => response.locals.keep?.(body),
  }
}
