import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Answer } from './ledger.ts'

// Responses for the ledger's scripts.

export const json =
  (status: number, body: unknown): Answer =>
  response =>
    response.status(status).json(body)

export const bytes =
  (body: Uint8Array): Answer =>
  response =>
    response.set('content-length', String(body.length)).end(body)

/** Sends bytes without a content length; stops once the client disconnects. */
export const undeclared =
  (count: number): Answer =>
  response => {
    const chunk = Buffer.alloc(64 * 1024, 'a')
    const parts = function* () {
      for (let left = count; left > 0; left -= chunk.length)
        yield chunk.subarray(0, Math.min(left, chunk.length))
    }
    pipeline(Readable.from(parts()), response).catch(() => {})
  }

export const redirect =
  (location: string, status = 302): Answer =>
  response =>
    response.redirect(status, location)

/** Accepts the call and never responds. */
export const hang: Answer = () => {}

export const hangUp: Answer = response => response.destroy()

/** Leaves the call to the simulation. */
export const simulated: Answer = (_response, _request, next) => next()

/** An error in Graph's format. */
export const graphError = (code: number, status = 400, subcode?: number): Answer =>
  json(status, {
    error: {
      message: `(#${code}) no`,
      type: 'OAuthException',
      code,
      error_subcode: subcode,
      fbtrace_id: 'A',
    },
  })
