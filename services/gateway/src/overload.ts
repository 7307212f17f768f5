import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Problem, sendProblem } from '@voxscribe/service'
import type { RequestHandler } from 'express'

/** A little less than the 250 ms that a webhook may take. */
const LATE_MS = 200
/** One slow webhook, or a short stop of the process, is no crowd. */
const CROWD = 32
const LOOK_EVERY_MS = 50
const COME_AGAIN_SECONDS = 30

const tooMany = new Problem('unavailable', 'Too much is under way here. Please send this again later.', {
  code: 'overloaded',
  retryAfterSeconds: COME_AGAIN_SECONDS,
})

/**
 * Refuses webhooks while those in hand take too long, or this process is late: whatever part of the system is full, it
 * shows here. WhatsApp, Twilio and Stripe send again what is answered 503; what was taken in is answered soon.
 */
export function refuseWhenOverloaded(): RequestHandler {
  const loop = monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  let isLate = false
  setInterval(() => {
    isLate = loop.max / 1e6 > LATE_MS
    loop.reset()
  }, LOOK_EVERY_MS).unref()
  /** When each began, oldest first. */
  const inHand = new Map<object, number>()

  function isOverloaded(): boolean {
    if (inHand.size < CROWD) return false
    const [oldest = Number.POSITIVE_INFINITY] = inHand.values()
    return isLate || performance.now() - oldest > LATE_MS
  }

  return (request, response, next) => {
    if (isOverloaded()) return sendProblem(response, tooMany)
    inHand.set(request, performance.now())
    response.once('close', () => inHand.delete(request))
    next()
  }
}
