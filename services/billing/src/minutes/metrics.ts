import { counter } from '@voxscribe/service'

// In seconds, as everything of the kind: a dashboard shows minutes.
export const secondsUsed = counter({
  name: 'billing_used_seconds_total',
  help: 'Seconds of audio charged for transcriptions',
})
export const secondsSold = counter({
  name: 'billing_sold_seconds_total',
  help: 'Seconds of audio given for paid periods',
})
