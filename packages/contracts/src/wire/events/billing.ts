import { z } from 'zod'
import { PlanName } from '../answers.ts'
import { enumerated, event, Source } from '../event.ts'
import { Attempt, chatCommand, seconds, userId } from './fields.ts'

/** An account's minutes, for the answer to a command; null without a limit. */
export const BalanceTold = event('balance-told', {
  userId,
  command: chatCommand,
  remainingSeconds: seconds.nullable(),
  periodEnd: z.iso.datetime(),
  source: Source,
})

/** `remainingSeconds`: null without a limit. */
export const QuotaReserved = event('quota-reserved', { ...Attempt, remainingSeconds: seconds.nullable() })

export const QuotaExceeded = event('quota-exceeded', {
  ...Attempt,
  remainingSeconds: seconds,
  periodEnd: z.iso.datetime(),
})

/** A period's minutes have changed; after a note only once most of them are used (`percentPassed`). */
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
