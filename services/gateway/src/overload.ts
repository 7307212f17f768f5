import { monitorEventLoopDelay } from 'node:perf_hooks'
import { refusedFor, sendProblem, whenAnswered } from '@voxscribe/service'
import type { RequestHandler } from 'express'

/** Half of the 250 ms that a webhook may take: it has waited for the event loop before we saw it. */
const LATE_MS = 125
/** Webhooks in progress below which none is refused: one slow webhook or a short pause is not an overload. */
const CROWD = 32
/** A burst that is processed within this time is accepted. */
const BURST_MS = 1_000
/** After this time without lateness, the next overload may again be a burst. */
const CALM_MS = 3_000
const LOOK_EVERY_MS = 50
const COME_AGAIN_SECONDS = 30

const tooMany = refusedFor(COME_AGAIN_SECONDS, 'overloaded')

/** Tracks the webhooks in progress and decides when more would be too many. Times are milliseconds of one clock. */
export function createCrowd() {
  /** When each was complete, oldest first. */
  const inProgress = new Map<object, number>()
  let since = Number.NEGATIVE_INFINITY
  let lastLate = Number.NEGATIVE_INFINITY

  return {
    /** Called when its body is complete: a slow sender is no overload. */
    hasCome: (webhook: object, now: number) => void inProgress.set(webhook, now),
    isDone: (webhook: object) => void inProgress.delete(webhook),
    isTooMuch(now: number, processIsLate: boolean): boolean {
      const [oldest = now] = inProgress.values()
      const isLate = inProgress.size >= CROWD && (processIsLate || now - oldest > LATE_MS)
      if (!isLate) return false
      if (now - lastLate > CALM_MS) since = now
      lastLate = now
      return now - since > BURST_MS
    },
  }
}

/**
 * Refuses webhooks when those in progress, or this process's event loop, have been late for over a second: an overload
 * anywhere shows here. WhatsApp and Stripe repeat what gets 503; Twilio does not, so its webhooks are always accepted.
 * Those without the right signature are in progress for a moment only.
 */
export function refuseWhenOverloaded(): RequestHandler {
  const loop = monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  let processIsLate = false
  setInterval(() => {
    processIsLate = loop.max / 1e6 > LATE_MS
    loop.reset()
  }, LOOK_EVERY_MS).unref()
  const crowd = createCrowd()

  return (request, response, next) => {
    const isRepeated = !request.path.startsWith('/twilio')
    if (isRepeated && crowd.isTooMuch(performance.now(), processIsLate)) return sendProblem(response, tooMany)
    let isAnswered = false
    whenAnswered(response, () => {
      isAnswered = true
      crowd.isDone(request)
    })
    request.once('end', () => {
      if (!isAnswered) crowd.hasCome(request, performance.now())
    })
    next()
  }
}
