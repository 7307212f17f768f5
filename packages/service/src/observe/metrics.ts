import type { MessengerName } from '@voxscribe/contracts/channels'
import type { Bus, BusObserver, Relay } from '@voxscribe/messaging'
import type { RequestHandler } from 'express'
import {
  Counter,
  type CounterConfiguration,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  type HistogramConfiguration,
  register,
} from 'prom-client'

/** One registry per process. In the one-process start, all services share it and are distinguished by `service`. */
export const registry = register

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800]

// Metrics are created when their module is loaded, so once per process.
export const counter = <L extends string>(options: CounterConfiguration<L>) => new Counter(options)
export const gauge = <L extends string>(options: GaugeConfiguration<L>) => new Gauge(options)
export const histogram = <L extends string>(options: HistogramConfiguration<L>) =>
  new Histogram({ buckets: SECONDS, ...options })

let collecting = false
export function collectProcessMetrics(): void {
  if (!collecting) collectDefaultMetrics({ register })
  collecting = true
}

export const httpSeconds = histogram({
  name: 'http_request_duration_seconds',
  help: 'Time until an HTTP request is answered; not how long the answer is read',
  labelNames: ['service', 'method', 'route', 'status'],
})
const webhookSeconds = histogram({
  name: 'webhook_duration_seconds',
  help: 'Time to answer a webhook; refused: its signature or form is wrong, failed: the provider will repeat it',
  labelNames: ['provider', 'outcome'],
})
const waitSeconds = histogram({
  name: 'bus_message_wait_seconds',
  help: 'From the event to its handling',
  labelNames: ['queue'],
})
const handleSeconds = histogram({
  name: 'bus_message_duration_seconds',
  help: 'Time to handle a message',
  labelNames: ['queue', 'outcome'],
})
const deadLetters = counter({
  name: 'bus_dead_letters_total',
  help: 'Messages that went to the dead letters',
  labelNames: ['queue'],
})
/** Starts the counter at 0: Prometheus sees no increase in one that first appears as 1, so no alert would fire. */
export const countDeadLetters = (queue: string): void => deadLetters.inc({ queue }, 0)
const outboxes = new Map<string, Pick<Relay, 'oldestSeconds'>>()
const buses = new Set<Pick<Bus, 'retrying'>>()
/** Watches the age of what waits in a service's outbox and on its bus; it is determined when the metrics are read. */
export function watchMessages(
  service: string,
  relay: Pick<Relay, 'oldestSeconds'>,
  bus: Pick<Bus, 'retrying'>,
) {
  outboxes.set(service, relay)
  buses.add(bus)
}
gauge({
  name: 'outbox_oldest_event_seconds',
  help: 'Age of the oldest event that waits to be published',
  labelNames: ['service'],
  collect() {
    for (const [service, relay] of outboxes) this.set({ service }, relay.oldestSeconds())
  },
})
gauge({
  name: 'bus_oldest_retry_seconds',
  help: 'Time since the first failure of the oldest message that waits for a retry',
  labelNames: ['queue'],
  collect() {
    this.reset()
    for (const bus of buses) for (const [queue, seconds] of bus.retrying()) this.set({ queue }, seconds)
  },
})
gauge({
  name: 'clock_time_seconds',
  help: 'Seconds since 1970 by this machine’s clock; Prometheus keeps its own time of the sample',
  collect() {
    this.set(Date.now() / 1000)
  },
})

export const busObserver: BusObserver = {
  handled: ({ queue, outcome, waitSeconds: waited, seconds }) => {
    waitSeconds.observe({ queue }, waited)
    handleSeconds.observe({ queue, outcome }, seconds)
    if (outcome === 'dead') deadLetters.inc({ queue })
  },
}

const OUTCOMES = ['done', 'refused', 'failed'] as const

export function timedWebhook(provider: MessengerName | 'stripe'): RequestHandler {
  // As with dead letters, the first outcome of a kind must count as an increase.
  for (const outcome of OUTCOMES) webhookSeconds.zero({ provider, outcome })
  return (_request, response, next) => {
    const stop = webhookSeconds.startTimer({ provider })
    response.on('finish', () => {
      const { statusCode } = response
      stop({ outcome: statusCode < 400 ? 'done' : statusCode < 500 ? 'refused' : 'failed' })
    })
    next()
  }
}
