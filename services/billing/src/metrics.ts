import { Counter, Histogram } from '@voxscribe/service'

export const minutesUsed = new Counter({
  name: 'billing_used_minutes_total',
  help: 'Minutes charged for transcriptions',
})
export const minutesSold = new Counter({
  name: 'billing_sold_minutes_total',
  help: 'Minutes given for paid periods',
})
export const webhookSeconds = new Histogram({
  name: 'billing_webhook_duration_seconds',
  help: 'Time to take in an event of Stripe',
  labelNames: ['outcome'],
  buckets: [0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
})
