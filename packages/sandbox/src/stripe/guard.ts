import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'
import type { Database } from '../database.ts'
import { brokenDown, keyInUse, noKey, tooManyRequests, wrongKey } from './errors.ts'
import { API_VERSION } from './events.ts'
import type { StripeFaults } from './faults.ts'

const hash = (text: string) => createHash('sha256').update(text).digest()

function givenKey(request: Request) {
  const [scheme, value = ''] = (request.get('authorization') ?? '').split(' ')
  if (/^bearer$/i.test(scheme ?? '')) return value
  // As curl -u sk_test_…: does it
  if (/^basic$/i.test(scheme ?? '')) return Buffer.from(value, 'base64').toString().split(':')[0]
  return undefined
}

/** Before every call: a request id, the secret key, and what was asked to go wrong. */
export function guard({ secretKey, faults }: { secretKey: string; faults: StripeFaults }) {
  return (request: Request, response: Response, next: NextFunction) => {
    response.set({
      'request-id': `req_${randomBytes(7).toString('hex')}`,
      'stripe-version': request.get('stripe-version') ?? API_VERSION,
    })
    const key = givenKey(request)
    if (!key) throw noKey()
    if (!timingSafeEqual(hash(key), hash(secretKey))) throw wrongKey(key)
    const fault = faults.next()
    if (fault === 'error') throw brokenDown()
    if (fault === 'rateLimited') throw tooManyRequests()
    if (fault === 'hang') return
    if (fault === 'lost') response.json = () => response.destroy() && response
    next()
  }
}

export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>

const KEPT_MS = 24 * 3_600_000

export function createIdempotencyStore(db: Database) {
  db.exec(`CREATE TABLE IF NOT EXISTS stripe_answers (
    key TEXT PRIMARY KEY, request TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL
  ) STRICT`)
  db.prepare('DELETE FROM stripe_answers WHERE at < ?').run(Date.now() - KEPT_MS)
  return {
    find: (key: string) =>
      db.prepare('SELECT request, body FROM stripe_answers WHERE key = ?').get(key) as
        | { request: string; body: string }
        | undefined,
    keep(key: string, request: string, body: unknown) {
      db.prepare('INSERT OR IGNORE INTO stripe_answers VALUES (?, ?, ?, ?)').run(
        key,
        request,
        JSON.stringify(body),
        Date.now(),
      )
    },
  }
}

/** Keeps an answer under the request's idempotency key; called in the transaction that makes the change. */
export const keepAnswer = (response: Response, body: unknown) => response.locals.keep?.(body)

/**
 * Idempotency keys: the same request gets the stored answer, another request with the same key is an error. What was
 * refused is not stored, so that it can be tried again.
 */
export function replayAnswers(answers: IdempotencyStore) {
  return (request: Request, response: Response, next: NextFunction) => {
    const key = request.method === 'POST' ? request.get('idempotency-key') : undefined
    if (!key) return next()
    response.set('idempotency-key', key)
    const asked = hash(`${request.path}\n${JSON.stringify(request.body)}`).toString('hex')
    const known = answers.find(key)
    if (known && known.request !== asked) throw keyInUse(key)
    if (known) {
      response.set('idempotent-replayed', 'true').json(JSON.parse(known.body))
      return
    }
    response.locals.keep = (body: unknown) => answers.keep(key, asked, body)
    next()
  }
}
