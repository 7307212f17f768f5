import { derivedId, HookTurnedOff } from '@voxscribe/contracts/events'
import { HOOK_OFF_DAYS } from '@voxscribe/contracts/limits'
import {
  type ClosedAccounts,
  counter,
  createWorkLoop,
  currentTrace,
  type Documents,
  type Held,
  type Logger,
} from '@voxscribe/service'
import type { Deliveries, DeliveryRecord, Outcome } from './deliveries.ts'
import type { HookRecord, Hooks } from './hooks.ts'
import type { Send } from './send.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** Waits before the retries of a failed delivery, which ends after the last one. */
const RETRY_AFTER_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map(hours => hours * HOUR_MS),
]
/** Share of the wait that is added at random, so that deliveries that failed together aren't retried together. */
const JITTER = 0.1
/** A hook is turned off once all its deliveries have failed for this long. */
export const OFF_AFTER_MS = HOOK_OFF_DAYS * 24 * HOUR_MS

/** Parallel tries of a process, at most one per hook, so that a hanging hook occupies one place. */
export const AT_ONCE = 200
/** Of these, the maximum per person while half of the places are free; otherwise one. */
export const OF_PERSON_AT_ONCE = 4

const deliveriesTotal = counter({
  name: 'hook_deliveries_total',
  help: 'Tries to deliver to a hook, by outcome',
  labelNames: ['outcome'],
})

interface Deps {
  documents: Pick<Documents, 'hold'>
  hooks: Hooks['model']
  deliveries: Deliveries
  send: Send
  /** Milliseconds without a beat after which another process takes over a delivery. */
  leaseMs: number
  closed: Pick<ClosedAccounts, 'has'>
  now: () => Date
  log: Logger
}

/** Longest time between two looks at all hooks. */
const POLLED_WITHIN_MS = 15_000

/** Replaces `nextAt` of a claimed hook; any other value means that a message was added since. */
const CLAIMED = new Date(0)

/**
 * Tries due deliveries, each in one process at a time; all processes take part. The queue contains hooks, ordered by
 * when their next message is due, so it stays short however many messages wait for hanging hooks.
 */
export function createDelivering(deps: Deps) {
  const { documents, hooks, deliveries, send, leaseMs, closed, now, log } = deps
  const hold = documents.hold(hooks, 'lease', { leaseMs })
  const { look, stop, settled } = createWorkLoop({ hold, claimNext, work, log })
  /** People who have had their turn in this round. */
  const served = new Set<string>()

  /** Claims the longest due hook among people without a turn in this round; if there is none, begins a new round. */
  async function claimNext(inHand: readonly HookRecord[]) {
    if (inHand.length >= AT_ONCE) return null
    const most = inHand.length < AT_ONCE / 2 ? OF_PERSON_AT_ONCE : 1
    const full = [...Map.groupBy(inHand, ({ userId }) => userId)]
      .filter(([, theirs]) => theirs.length >= most)
      .map(([userId]) => userId)
    let held = await claimOf([...full, ...served])
    if (!held && served.size) {
      served.clear()
      held = await claimOf(full)
    }
    if (held) served.add(held.claimed.userId)
    return held
  }

  const claimOf = (others: string[]) =>
    hold.claim(undefined, lease =>
      hooks
        .findOneAndUpdate(
          { nextAt: { $lte: now() }, lease: null, userId: { $nin: others } },
          { $set: { lease, nextAt: CLAIMED } },
          { sort: { nextAt: 1 }, returnDocument: 'after' },
        )
        .lean<HookRecord>(),
    )

  async function work(held: Held<HookRecord>): Promise<void> {
    const hook = held.claimed
    try {
      const [delivery, following] = await deliveries.waiting(hook._id)
      const isDue = delivery?.notBefore && delivery.notBefore <= now()
      const nextTry = isDue ? await tryOnce(hook, delivery, held.signal) : delivery?.notBefore
      const times = [nextTry, following?.notBefore].filter(time => time instanceof Date)
      const nextAt = times.length ? new Date(Math.min(...times.map(Number))) : null
      if (!(await held.release({ nextAt }, { nextAt: CLAIMED }))) await held.release()
      else if (nextAt) scheduleLook(nextAt)
    } catch (err) {
      if (!held.signal.aborted) log.warn({ err, hookId: hook._id }, 'a delivery to a hook broke off')
      // Without a database, the lease stays until a process finds that nothing renews it.
      await held.release().catch(() => {})
    }
  }

  /** Schedules a look for a try that is due before the next regular look. */
  function scheduleLook(at: Date): void {
    const waitMs = Math.max(0, at.getTime() - now().getTime())
    if (waitMs < POLLED_WITHIN_MS) setTimeout(() => void look(), waitMs).unref()
  }

  /** Returns when the delivery is retried; null once it's finished. */
  async function tryOnce(
    hook: HookRecord,
    delivery: DeliveryRecord,
    signal: AbortSignal,
  ): Promise<Date | null> {
    const isOff =
      (!hook.enabled && delivery.type !== 'test') || (await closed.has(hook.userId, hook.generation))
    if (isOff) {
      await deliveries.tried(delivery._id, { status: 'failed', notBefore: null, failure: 'hook_off' })
      return null
    }
    const { retryAfterMs, ...outcome } = await send(hook, delivery, signal)
    deliveriesTotal.inc({ outcome: outcome.failure ?? 'delivered' })
    const tried = after(delivery, outcome, now(), retryAfterMs)
    await deliveries.tried(delivery._id, tried)
    await judge(hook, delivery, outcome)
    return tried.notBefore
  }

  /** Records a delivery. Turns off a hook that is gone or has only failed for OFF_AFTER_MS, not counting tests. */
  async function judge(
    hook: HookRecord,
    { _id: deliveryId, type }: DeliveryRecord,
    { failure }: Outcome,
  ): Promise<void> {
    const { _id, url, failingSince } = hook
    const same = { _id, url, enabled: true }
    if (!failure) {
      await hooks.updateOne({ _id }, { $set: { failingSince: null, lastUsedAt: now() } })
    } else if (failure === 'gone') {
      await turnOff(hook, same, { id: derivedId('hook-turned-off', _id, deliveryId), isGone: true })
    } else if (type === 'test') {
      return
    } else if (!failingSince) {
      await hooks.updateOne({ ...same, failingSince: null }, { $set: { failingSince: now() } })
    } else if (now().getTime() - failingSince.getTime() >= OFF_AFTER_MS) {
      const id = derivedId('hook-turned-off', _id, failingSince.toISOString())
      await turnOff(hook, { ...same, failingSince }, { id })
    }
  }

  /** Turns a hook off, unless it changed in the meantime, and publishes the event for the mail to its owner. */
  async function turnOff(
    { userId, url }: HookRecord,
    same: object,
    { id, isGone }: { id: string; isGone?: boolean },
  ): Promise<void> {
    const turnedOff = HookTurnedOff.create({ userId, url, isGone }, { id, traceId: currentTrace() })
    await hooks.updateOne(same, {
      $set: { enabled: false, failingSince: null },
      $push: { outbox: turnedOff },
    })
  }

  return {
    /** Starts the due deliveries. */
    look,

    /** Aborts the tries in progress; other processes repeat them. */
    stop,
    settled,
  }
}

/** Returns a delivery's fields after a try. */
function after(delivery: DeliveryRecord, outcome: Outcome, now: Date, retryAfterMs = 0) {
  const tries = delivery.tries + 1
  const tried = { ...outcome, tries, lastTriedAt: now }
  if (!outcome.failure) return { ...tried, status: 'delivered' as const, notBefore: null }
  const wait = delivery.type === 'test' || outcome.failure === 'gone' ? undefined : RETRY_AFTER_MS[tries - 1]
  if (wait === undefined) return { ...tried, status: 'failed' as const, notBefore: null }
  const jitter = 1 + JITTER * Math.random()
  const waitMs = Math.max(wait * jitter, retryAfterMs)
  return { ...tried, status: 'waiting' as const, notBefore: new Date(now.getTime() + waitMs) }
}
