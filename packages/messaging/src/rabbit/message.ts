import type { Message } from 'amqplib'
import type { DeadLetter } from '../bus.ts'
import type { History } from '../handle-once.ts'
import type { Carrier } from '../tracing.ts'
import type { Shipment } from './publisher.ts'

// Our headers: the broker's own counts differ between versions, and republishing resets them.
export const TRIES = 'x-attempt'
export const FAILING_SINCE = 'x-failing-since'
export const REASON = 'x-reason'
export const DEAD_SINCE = 'x-dead-since'
/** Milliseconds since 1970 at which it was sent, or due again after a delay. */
export const DUE_AT = 'x-due-at'

/** All headers of a message must fit into 64 KiB, and zod's list of errors may be long. */
export const REASON_MAX = 2_000

export const historyOf = ({ properties: { headers } }: Message): History => ({
  tries: Number(headers?.[TRIES]) || 0,
  failingSince: Number(headers?.[FAILING_SINCE]) || undefined,
})

export function waitSecondsOf({ properties }: Message) {
  const dueAt = Number(properties.headers?.[DUE_AT]) || Date.now()
  return Math.max(0, (Date.now() - dueAt) / 1000)
}

/** Returns the text headers that are neither ours nor the broker's (`x-death` and the like). */
export const carrierOf = ({ properties }: Message): Carrier =>
  Object.fromEntries(
    Object.entries(properties.headers ?? {}).filter(
      (header): header is [string, string] => typeof header[1] === 'string' && !header[0].startsWith('x-'),
    ),
  )

/** Returns a copy of a message that keeps its trace and gets new headers of ours. */
export const copyOf = (message: Message, { headers, ...to }: Omit<Shipment, 'content' | 'messageId'>) => ({
  ...to,
  content: message.content,
  messageId: message.properties.messageId,
  headers: { ...carrierOf(message), ...headers },
})

/** Converts a message from a dead-letter queue, which we or the broker (at its delivery limit) put there. */
export function letterOf(queue: string, message: Message): DeadLetter {
  const headers = message.properties.headers ?? {}
  const death = headers['x-death']?.[0]
  const brokersReason = `The broker dropped it: ${death?.reason ?? 'no reason given'}`
  const brokersTime = new Date((death?.time.value ?? 0) * 1000).toISOString()
  return {
    id: String(message.properties.messageId ?? ''),
    queue,
    reason: String(headers[REASON] ?? brokersReason),
    attempts: historyOf(message).tries,
    at: String(headers[DEAD_SINCE] ?? brokersTime),
    message: parsed(message.content.toString()),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
