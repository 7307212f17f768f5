import type { Envelope } from '@voxscribe/contracts/events'
import type { Logger } from 'pino'
import type { Subscription } from './bus.ts'
import { asError, Later, Permanent } from './bus.ts'
import type { Carrier } from './tracing.ts'
import { inConsumerSpan } from './tracing.ts'

/** A message's history: failed tries, and how often it was postponed. */
export interface History {
  failures: number
  waits: number
}

export interface Rules {
  /** One wait for each failed try; the try after the last wait is final. */
  retryDelaysMs: number[]
  /** Ascending. */
  postponeDelaysMs: number[]
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
  /** It comes again after `afterMs`, with this history. */
  | { outcome: 'retried' | 'postponed'; afterMs: number; history: History }
  | { outcome: 'dead'; reason: string }

/** How one handling of a message ended. `seconds` is the time in the handler. */
type Handled = Verdict & { seconds: number }

/** The longest wait of a postponed message that names no time. */
const LONGEST_BACK_OFF_MS = 60_000

/** Reads a message, hands it to the subscriber and decides what happens to it next. Never throws. */
export async function handleOnce(handling: Handling, read: () => unknown): Promise<Handled> {
  const started = performance.now()
  const verdict = await handle(handling, read)
  return { ...verdict, seconds: (performance.now() - started) / 1000 }
}

async function handle(handling: Handling, read: () => unknown): Promise<Verdict> {
  const { queue, subscription, carrier, log } = handling
  let event: Envelope
  try {
    event = subscription.event.parse(read())
  } catch (thrown) {
    const reason = `Invalid message: ${asError(thrown).message}`
    log.error({ queue, reason }, 'A message that cannot be read goes to the dead letters')
    return { outcome: 'dead', reason }
  }
  try {
    await inConsumerSpan({ queue, event, carrier }, () => subscription.handle(event))
    return { outcome: 'done' }
  } catch (thrown) {
    return judge(handling, event, asError(thrown))
  }
}

async function judge(handling: Handling, event: Envelope, error: Error): Promise<Verdict> {
  const { queue, subscription, history, rules, log } = handling
  const about = { err: error, queue, eventId: event.id, traceId: event.traceId }
  const final = error instanceof Permanent
  // A handler that our own stop interrupted has not failed: several deployments in a row must not use up the tries.
  if (error instanceof Later || (rules.closing.aborted && !final)) {
    log.info(about, 'A message is postponed')
    return postponed(error, handling)
  }
  const afterMs = rules.retryDelaysMs[history.failures]
  if (afterMs !== undefined && !final) {
    log.warn(about, 'Handling failed, it will be tried again')
    return { outcome: 'retried', afterMs, history: { ...history, failures: history.failures + 1 } }
  }
  try {
    await subscription.givenUp?.(event, error)
  } catch (failure) {
    const saying = { ...about, err: failure }
    if (failure instanceof Later) {
      log.info(saying, 'A message is postponed: that it was given up could not be recorded yet')
      return postponed(failure, handling)
    }
    log.error(saying, 'Could not record that a message was given up')
  }
  log.error(about, 'Handling failed for good, the message goes to the dead letters')
  return { outcome: 'dead', reason: error.message }
}

function postponed(error: Error, { history, rules: { postponeDelaysMs } }: Handling): Verdict {
  const backOff = postponeDelaysMs.filter(delayMs => delayMs <= LONGEST_BACK_OFF_MS)
  const { afterMs = backOff[history.waits] ?? backOff.at(-1)! } = error as Partial<Later>
  return {
    outcome: 'postponed',
    afterMs: Math.min(afterMs, postponeDelaysMs.at(-1)!),
    history: { ...history, waits: history.waits + 1 },
  }
}
