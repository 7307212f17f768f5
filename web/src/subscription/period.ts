import { FALLBACK_PERIOD_DAYS } from '@voxscribe/contracts/business'
import type { VerifiedSession } from '@voxscribe/contracts/http'

const DAY = 24 * 60 * 60 * 1000

/** The period that was paid for; 30 days from the session's creation when the answer does not name it. */
export function paidPeriod({ session, subscription }: VerifiedSession): { start: string; end: string } {
  const start = subscription?.currentPeriodStart || session.createdAt
  const fallback = new Date(session.createdAt).getTime() + FALLBACK_PERIOD_DAYS * DAY
  const end =
    subscription?.currentPeriodEnd || (Number.isNaN(fallback) ? '' : new Date(fallback).toISOString())
  return { start, end }
}
