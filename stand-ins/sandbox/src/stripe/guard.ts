import { createHash, randomBytes } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'
import { z } from 'zod'
import { type Database, openObjects } from '../database.ts'
import { calls, type Faults } from '../faults.ts'
import { hasBearer } from '../input.ts'
import { invalid, stripeError } from './errors.ts'

/** Faults of the next n API calls. `lost`: the call is executed, but the connection breaks before the response. */
export const StripeFaultCounts = z.object({ error: calls, rateLimited: calls, hang: calls, lost: calls })

export type StripeFaults = Faults<typeof StripeFaultCounts>

/** Runs before every call: sets a request id, checks the secret key, and applies requested faults. */
export function guard({ secretKey, faults }: { secretKey: string; faults: StripeFaults }) {
  return (request: Request, response: Response, next: NextFunction) => {
    response.set('request-id', `req_${randomBytes(7).toString('hex')}`)
    if (!hasBearer(request, secretKey)) throw stripeError(401, 'Invalid API Key provided: sk_test_********')
    if (faults.strikes('error')) throw stripeError(500, 'An unknown error occurred.', { type: 'api_error' })
    if (faults.strikes('rateLimited'))
      throw stripeError(429, 'Request rate limit exceeded.', { code: 'rate_limit' })
    if (faults.strikes('hang')) return
    if (faults.strikes('lost')) response.json = () => response.destroy() && response
    next()
  }
}

/** Repeats the response stored for a key; refuses another request with it. Errors aren't stored, so retries work. */
export function createIdempotency(db: Database) {
  const answers = openObjects<{ answer: { object: 'answer'; id: string; request: string; body: object } }>(db)
  return {
    replay(request: Request, response: Response, next: NextFunction) {
      const key = request.method === 'POST' && request.get('idempotency-key')
      if (!key) return next()
      const requestHash = createHash('sha256')
        .update(`${request.path}\n${JSON.stringify(request.body)}`)
        .digest('hex')
      const known = answers.find('answer', key)
      if (known && known.request !== requestHash)
        throw invalid(
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
          { type: 'idempotency_error' },
        )
      if (known) return response.set('idempotent-replayed', 'true').json(known.body)
      response.locals.keep = (body: object) =>
        answers.put({ object: 'answer', id: key, request: requestHash, body })
      next()
    },
    /** Stores a response under the request's key; called in the transaction that makes the change. */
    keep: (response: Response, body: object) => response.locals.keep?.(body),
  }
}
