import { derivedId, HookTurnedOff } from '@voxscribe/contracts/events'
import {
  type Closed,
  counter,
  createHold,
  createWorkLoop,
  currentTrace,
  type Held,
  type Logger,
} from '@voxscribe/service'
import type { Deliveries, DeliveryRecord, Outcome } from './deliveries.ts'
import type { HookRecord, Hooks } from './hooks.ts'
import type { Send } from './send.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
/** Waits before a failed delivery is tried again; then it is over. */
const RETRY_AFTER_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  ...[2, 5, 10, 14, 20, 24].map(hours => hours * HOUR_MS),
]
/** Share of the wait that is added at random, so that deliveries that failed together are not retried together. */
const JITTER = 0.1
/** A hook is turned off when every delivery has failed for this long. */
export const OFF_AFTER_MS = 5 * 24 * HOUR_MS

/** Parallel tries of a process: one of a hook, so that one that hangs holds one place. */
export const AT_ONCE = 200
/** Of these for one person while half of the places are free; one otherwise. */
export const OF_PERSON_AT_ONCE = 4

const deliveriesTotal = counter({
  name: 'hook_deliveries_total',
  help: 'Tries to deliver to a hook, by outcome',
  labelNames: ['outcome'],
})

interface Deps {
  hooks: Hooks['model']
  deliveries: Deliveries
  send: Send
  /** Milliseconds without a beat after which another process takes over a delivery. */
  leaseMs: number
  closed: Pick<Closed, 'has'>
  now: () => Date
  log: Logger
}

/** Tries the deliveries that are due, each in one process at a time; all processes take part. */
export function createDelivering({
  hooks,
  deliveries: { model, forget },
  send,
  leaseMs,
  closed,
  now,
  log,
}: Deps) {
  const hold = createHold(model, 'lease', { lastsMs: leaseMs })
  const { look, stop, settled } = createWorkLoop({ hold, claimNext, work, log })

  /** Persons who have had their turn in this round. */
  const served = new Set<string>()

  /** Claims the delivery due longest of those who have not had their turn in this round; then begins a new round. */
  async function claimNext(inHand: readonly DeliveryRecord[]) {
    if (inHand.length >= AT_ONCE) return null
    const most = inHand.length < AT_ONCE / 2 ? OF_PERSON_AT_ONCE : 1
    const full = [...Map.groupBy(inHand, ({ userId }) => userId)]
      .filter(([, theirs]) => theirs.length >= most)
      .map(([userId]) => userId)
    const hookIds = inHand.map(({ hookId }) => hookId)
    let held = await claimOf(hookIds, [...full, ...served])
    if (!held && served.size) {
      served.clear()
      held = await claimOf(hookIds, full)
    }
    if (held) served.add(held.claimed.userId)
    return held
  }

  const claimOf = (busy: string[], waiting: string[]) =>
    hold.claim(undefined, lease => {
      const due = { status: 'waiting' as const, notBefore: { $lte: now() }, lease: null }
      const others = { userId: { $nin: waiting }, hookId: { $nin: busy } }
      return model
        .findOneAndUpdate(
          { ...due, ...others },
          { $set: { lease } },
          { sort: { notBefore: 1 }, returnDocument: 'after' },
        )
        .lean<DeliveryRecord>()
    })

  async function work(held: Held<DeliveryRecord>): Promise<void> {
    const delivery = held.claimed
    try {
      const hook = await hooks.findById(delivery.hookId).lean<HookRecord>()
      // Deleted, perhaps with its person, while this was added.
      if (!hook) return await forget({ hookId: delivery.hookId })
      const isOff =
        (!hook.enabled && delivery.type !== 'test') || (await closed.has(hook.userId, hook.generation))
      if (isOff) return void (await held.release({ ...OVER, status: 'failed', failure: 'hook_off' }))
      const outcome = await send(hook, delivery, held.signal)
      deliveriesTotal.inc({ outcome: outcome.failure ?? 'delivered' })
      await held.release(after(delivery, outcome, now()))
      await judge(hook, delivery, outcome)
    } catch (err) {
      if (!held.signal.aborted) log.warn({ err, hookId: delivery.hookId }, 'a delivery to a hook broke off')
      // Without a database the lease stays until `lookAround` finds that nobody renews it.
      await held.release().catch(() => {})
    }
  }

  /** Turns off a hook that is gone, or has only failed for OFF_AFTER_MS. A failed test does not count. */
  async function judge(hook: HookRecord, { type }: DeliveryRecord, { failure }: Outcome): Promise<void> {
    const { _id, url, userId, failingSince } = hook
    const same = { _id, url, enabled: true }
    if (!failure) {
      if (failingSince) await hooks.updateOne({ _id }, { $set: { failingSince: null } })
    } else if (failure === 'gone') {
      await hooks.updateOne(same, { $set: { enabled: false } })
    } else if (type === 'test') {
      return
    } else if (!failingSince) {
      await hooks.updateOne({ ...same, failingSince: null }, { $set: { failingSince: now() } })
    } else if (now().getTime() - failingSince.getTime() >= OFF_AFTER_MS) {
      const id = derivedId('hook-turned-off', _id, failingSince.toISOString())
      const turnedOff = HookTurnedOff.create({ userId, url }, { id, traceId: currentTrace() })
      await hooks.updateOne(
        { ...same, failingSince },
        { $set: { enabled: false, failingSince: null }, $push: { outbox: turnedOff } },
      )
    }
  }

  return {
    /** Starts the deliveries that are due. */
    look,

    /** Frees the deliveries of dead processes, then starts those that are due. */
    async lookAround(): Promise<void> {
      await hold.freeDead()
      await look()
    },

    /** Aborts the tries under way; other processes repeat them. */
    stop,
    settled,
  }
}

/** Fields of a delivery that does not wait: its place among those that were asked for is free. */
const OVER = { notBefore: null, asked: undefined }

/** The fields of a delivery after a try. */
function after(delivery: DeliveryRecord, outcome: Outcome, now: Date): Partial<DeliveryRecord> {
  const tries = delivery.tries + 1
  const tried = { ...outcome, ...OVER, tries, lastTriedAt: now }
  if (!outcome.failure) return { ...tried, status: 'delivered' }
  const wait = delivery.type === 'test' || outcome.failure === 'gone' ? undefined : RETRY_AFTER_MS[tries - 1]
  if (wait === undefined) return { ...tried, status: 'failed' }
  const jitter = 1 + JITTER * Math.random()
  return { ...tried, status: 'waiting', notBefore: new Date(now.getTime() + wait * jitter) }
}
