import express, { type Request, type RequestHandler } from 'express'
import { createBodySlots } from './body-slots.ts'
import { withBodyTimeout } from './body-timeout.ts'
import { refusedFor } from './problem.ts'

/** Meta's webhooks have at most 3 MB. */
const MAX_BYTES = 4 * 1024 * 1024
/** Size of a webhook with a few messages. Any number of them may come at once. */
const SMALL_BYTES = 64 * 1024
/** Larger webhooks accepted at once: the sender is known only after the last byte. */
const LARGE_AT_ONCE = 8
const RETRY_AFTER_SECONDS = 30

// Not inflated: a small body could become a large one, and no provider compresses its webhooks.
const readBody = withBodyTimeout(express.raw({ type: () => true, limit: MAX_BYTES, inflate: false }))
const takeSlot = createBodySlots({ total: LARGE_AT_ONCE, perCaller: 1 })

/**
 * Keeps a webhook's body as raw bytes, because these are signed. Refuses more than 4 MB with 413, and a large body with
 * 503 while this process holds others; the provider repeats it.
 */
export const keepRawBody: RequestHandler = (request, response, next) => {
  const declared = request.headers['content-length']
  const mayKeep = () => takeSlot(request, request, response)
  if (Number(declared) > SMALL_BYTES && !mayKeep()) {
    // A client that is still sending reads the answer only once the rest is consumed.
    request.resume()
    throw refusedFor(RETRY_AFTER_SECONDS, 'overloaded')
  }
  if (declared === undefined) onceLarge(request, () => mayKeep() || request.destroy())
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
