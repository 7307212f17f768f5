import { z } from 'zod'
import { PlanName } from '../answers.ts'
import { enumerated, event, Source } from '../event.ts'
import { Attempt, chatCommand, seconds, userId } from './fields.ts'

/** Sent in place of null, because receivers of the last release need a number: more than 31 years. */
const NO_LIMIT_SECONDS = 1e9

/** Seconds left; null without a limit. */
const secondsLeft = z.codec(seconds, seconds.nullable(), {
  decode: left => (left < NO_LIMIT_SECONDS ? left : null),
  encode: left => left ?? NO_LIMIT_SECONDS,
})

/** An account's minutes, to answer a command. */
export const BalanceTold = event('balance-told', {
  userId,
  command: chatCommand,
  remainingSeconds: secondsLeft,
  periodEnd: z.iso.datetime(),
  source: Source,
})

export const QuotaReserved = event('quota-reserved', { ...Attempt, remainingSeconds: secondsLeft })

export const QuotaExceeded = event('quota-exceeded', {
  ...Attempt,
  remainingSeconds: seconds,
  periodEnd: z.iso.datetime(),
})

/** A period's minutes have changed. After a note, sent only once most of them are used (`percentPassed`). */
export const QuotaUpdated = event('quota-updated', {
  userId,
  usedSeconds: seconds,
  totalSeconds: seconds,
  plan: enumerated(PlanName, 'monthly'),
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
})

export const SubscriptionChanged = event('subscription-changed', {
  userId,
  periodEnd: z.iso.datetime(),
  change: z.enum([
    'started',
    'renewed',
    'cancel-scheduled',
    'reactivated',
    'ended',
    'payment-failed',
    'payment-recovered',
  ]),
})
