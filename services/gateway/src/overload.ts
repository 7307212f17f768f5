import { monitorEventLoopDelay } from 'node:perf_hooks'
import { refusedFor, sendProblem, whenAnswered } from '@voxscribe/service'
import type { RequestHandler } from 'express'

/** Half of the 250 ms that a webhook may take: it had to wait for the event loop before it got here. */
const LATE_MS = 125
/** No webhook is refused below this number in progress: one slow webhook or a short pause isn't an overload. */
const OVERLOAD_MIN = 32
/** A burst that is processed within this time is accepted. */
const BURST_MS = 1_000
/** After this time without lateness, the next overload counts as a burst again. */
const CALM_MS = 3_000
const MEASURE_EVERY_MS = 50
const RETRY_AFTER_SECONDS = 30

const tooMany = refusedFor(RETRY_AFTER_SECONDS, 'overloaded')

/** Tracks webhooks in progress and decides when to refuse more. Times are milliseconds of one clock. */
export function createLoadTracker() {
  /** Time at which each was complete, oldest first. */
  const inProgress = new Map<object, number>()
  let since = Number.NEGATIVE_INFINITY
  let lastLate = Number.NEGATIVE_INFINITY

  return {
    /** Called once the body is complete: a slow sender isn't an overload. */
    started: (webhook: object, now: number) => void inProgress.set(webhook, now),
    finished: (webhook: object) => void inProgress.delete(webhook),
    isOverloaded(now: number, processIsLate: boolean): boolean {
      const [oldest = now] = inProgress.values()
      const isLate = inProgress.size >= OVERLOAD_MIN && (processIsLate || now - oldest > LATE_MS)
      if (!isLate) return false
      if (now - lastLate > CALM_MS) since = now
      lastLate = now
      return now - since > BURST_MS
    },
  }
}

/**
 * Refuses webhooks once those in progress, or this process's event loop, have been late for over a second, which shows
 * an overload anywhere. WhatsApp and Stripe retry after a 503; Twilio doesn't, so its webhooks are always accepted.
 * Webhooks without a valid signature are in progress only briefly.
 */
export function refuseWhenOverloaded(): RequestHandler {
  const loop = monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  let processIsLate = false
  setInterval(() => {
    processIsLate = loop.max / 1e6 > LATE_MS
    loop.reset()
  }, MEASURE_EVERY_MS).unref()
  const load = createLoadTracker()

  return (request, response, next) => {
    const isRepeated = !request.path.startsWith('/twilio')
    if (isRepeated && load.isOverloaded(performance.now(), processIsLate))
      return sendProblem(response, tooMany)
    let isAnswered = false
    whenAnswered(response, () => {
      isAnswered = true
      load.finished(request)
    })
    request.once('end', () => {
      if (!isAnswered) load.started(request, performance.now())
    })
    next()
  }
}
