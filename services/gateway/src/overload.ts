import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Problem, sendProblem } from '@voxscribe/service'
import type { RequestHandler } from 'express'

/** A little less than the 250 ms that a webhook may take. */
const LATE_MS = 200
/** Webhooks in progress below which none is refused: one slow webhook or a short pause is not an overload. */
const CROWD = 32
const LOOK_EVERY_MS = 50
const COME_AGAIN_SECONDS = 30

const tooMany = new Problem('unavailable', 'Too much is under way here. Please send this again later.', {
  code: 'overloaded',
  retryAfterSeconds: COME_AGAIN_SECONDS,
})

/**
 * Refuses webhooks while those in progress take too long, or this process's event loop is late: whichever part of the
 * system is overloaded, it shows here. WhatsApp, Twilio and Stripe repeat webhooks that get 503; accepted ones are
 * answered soon.
 */
export function refuseWhenOverloaded(): RequestHandler {
  const loop = monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  let isLate = false
  setInterval(() => {
    isLate = loop.max / 1e6 > LATE_MS
    loop.reset()
  }, LOOK_EVERY_MS).unref()
  /** Start times of the webhooks in progress, oldest first. */
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
