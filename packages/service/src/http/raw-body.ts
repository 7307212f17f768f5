import express, { type Request, type RequestHandler } from 'express'
import { createHeld } from './held.ts'
import { inTime } from './in-time.ts'
import { refusedFor } from './problem.ts'

/** Meta's webhooks have 3 MB at most. */
const MAX_BYTES = 4 * 1024 * 1024
/** Of a webhook with some messages, of which any number may come at once. */
const SMALL_BYTES = 64 * 1024
/** Larger ones at once: only with the last byte is it known who has sent them. */
const LARGE_AT_ONCE = 8
const COME_AGAIN_SECONDS = 30

// Not inflated: a small body may become a large one, and no provider compresses its webhooks.
const readBody = inTime(express.raw({ type: () => true, limit: MAX_BYTES, inflate: false }))
const holdLarge = createHeld({ inAll: LARGE_AT_ONCE, ofCaller: 1 })

/**
 * Keeps a webhook's body as it came: its signature is over the bytes. Over 4 MB it is 413; a large one is 503 while this
 * process holds others, and its provider repeats it.
 */
export const keepRawBody: RequestHandler = (request, response, next) => {
  const declared = request.headers['content-length']
  const takePlace = () => holdLarge(request, request, response)
  if (Number(declared) > SMALL_BYTES && !takePlace()) {
    // A sender that is still at it reads the answer only when the rest is taken.
    request.resume()
    throw refusedFor(COME_AGAIN_SECONDS, 'overloaded')
  }
  if (declared === undefined) onceLarge(request, () => takePlace() || request.destroy())
  readBody(request, response, next)
}

function onceLarge(request: Request, then: () => void): void {
  let bytes = 0
  request.on('data', function count(chunk: Buffer) {
    bytes += chunk.length
    if (bytes <= SMALL_BYTES) return
    request.off('data', count)
    then()
  })
}
