import type { BusObserver } from '@voxscribe/messaging'
import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client'

/** One registry a process: in the one-process start all services report into it, told apart by `service`. */
export const registry = register
export { Counter, Gauge, Histogram } from 'prom-client'

let collecting = false
export function collectProcessMetrics(): void {
  if (!collecting) collectDefaultMetrics({ register })
  collecting = true
}

const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800]

export const httpSeconds = new Histogram({
  name: 'http_request_duration_seconds',
  help: 'Time to answer an HTTP request',
  labelNames: ['service', 'method', 'route', 'status'],
  buckets: SECONDS,
})
const waitSeconds = new Histogram({
  name: 'bus_message_wait_seconds',
  help: 'From the event to its handling',
  labelNames: ['queue'],
  buckets: SECONDS,
})
const handleSeconds = new Histogram({
  name: 'bus_message_duration_seconds',
  help: 'Time to handle a message',
  labelNames: ['queue', 'outcome'],
  buckets: SECONDS,
})
const deadLetters = new Counter({
  name: 'bus_dead_letters_total',
  help: 'Messages that went to the dead letters',
  labelNames: ['queue'],
})
/** Read when the metrics are: no timer runs for it. */
const outboxes = new Map<string, () => number>()
export const outboxAge = {
  watch: (service: string, oldestSeconds: () => number): void => void outboxes.set(service, oldestSeconds),
}
new Gauge({
  name: 'outbox_oldest_event_seconds',
  help: 'Age of the oldest event that waits to be published',
  labelNames: ['service'],
  collect() {
    for (const [service, oldestSeconds] of outboxes) this.set({ service }, oldestSeconds())
  },
})

/** Puts what the bus tells into the metrics. */
export const busObserver: BusObserver = {
  handled: ({ queue, outcome, waitSeconds: waited, seconds }) => {
    waitSeconds.observe({ queue }, waited)
    handleSeconds.observe({ queue, outcome }, seconds)
    if (outcome === 'dead') deadLetters.inc({ queue })
  },
}
