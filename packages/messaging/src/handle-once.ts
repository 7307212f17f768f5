import type { Envelope } from '@voxscribe/contracts/events'
import type { Logger } from 'pino'
import type { Subscription } from './bus.ts'
import { AGAIN_MS, asError, Later, LaterEachTime, Permanent } from './bus.ts'
import type { Retries } from './retries.ts'
import type { Carrier } from './tracing.ts'
import { inConsumerSpan } from './tracing.ts'

/** A message's history: tries that count for its next delay, and the time of its first failure (ms since 1970). */
export interface History {
  tries: number
  failingSince: number | undefined
}

export interface Rules {
  /** Delays before retries, ascending; the last one repeats. */
  delaysMs: number[]
  /** Time for which a message is retried. */
  ttlMs: number
  retries: Retries
  closing: AbortSignal
}

interface Handling {
  queue: string
  subscription: Subscription
  carrier: Carrier
  history: History
  rules: Rules
  log: Logger
}

type Verdict =
  | { outcome: 'done' }
  /** Redelivered after `afterMs`, with this history. */
  | { outcome: 'retried' | 'postponed'; afterMs: number; history: History }
  | { outcome: 'dead'; reason: string }

/** Result of handling a message once. `seconds`: time in the handler. */
export type Handled = Verdict & { seconds: number }

/** Parses a message, passes it to the subscriber and decides what happens to it next. Never throws. */
export async function handleOnce(handling: Handling, read: () => unknown): Promise<Handled> {
  const started = performance.now()
  const verdict = await handle(handling, read)
  return { ...verdict, seconds: (performance.now() - started) / 1000 }
}

async function handle(handling: Handling, read: () => unknown): Promise<Verdict> {
  const { queue, subscription, carrier, log, rules } = handling
  let event: Envelope
  try {
    event = subscription.event.parse(read())
  } catch (thrown) {
    const reason = `Invalid message: ${asError(thrown).message}`
    log.error({ queue, reason }, 'A message that cannot be read goes to the dead letters')
    return { outcome: 'dead', reason }
  }
  const verdict = await inConsumerSpan({ queue, event, carrier }, () => subscription.handle(event)).then(
    () => ({ outcome: 'done' as const }),
    thrown => judge(handling, event, asError(thrown)),
  )
  const since = 'history' in verdict ? verdict.history.failingSince : undefined
  if ('afterMs' in verdict && since) rules.retries.add(queue, event.id, since, verdict.afterMs)
  else rules.retries.remove(queue, event.id)
  return verdict
}

function judge({ queue, history, rules, log }: Handling, event: Envelope, error: Error): Verdict {
  const about = { err: error, queue, eventId: event.id, traceId: event.traceId }
  const final = error instanceof Permanent
  const { tries, failingSince = Date.now() } = history
  const delayMs = rules.delaysMs[Math.min(tries, rules.delaysMs.length - 1)]!
  // A handler that our own stop interrupted hasn't failed: repeated deployments must not make it wait for an hour.
  if (error instanceof Later || (rules.closing.aborted && !final)) {
    log.info(about, 'A message is postponed')
    if (error instanceof LaterEachTime && !rules.closing.aborted)
      return { outcome: 'postponed', afterMs: delayMs, history: { ...history, tries: tries + 1 } }
    const { afterMs = AGAIN_MS } = error as Partial<Later>
    return { outcome: 'postponed', afterMs: Math.min(afterMs, rules.delaysMs.at(-1)!), history }
  }
  const isOver = Date.now() + delayMs >= failingSince + rules.ttlMs
  if (!final && !isOver) {
    log.warn(about, 'Handling failed, it will be tried again')
    return { outcome: 'retried', afterMs: delayMs, history: { tries: tries + 1, failingSince } }
  }
  log.error(about, 'Handling failed for good, the message goes to the dead letters')
  return { outcome: 'dead', reason: error.message }
}
