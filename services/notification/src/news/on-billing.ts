import type { EventOf, HandlersFor } from '@voxscribe/contracts/events'
import { percentPassed } from '@voxscribe/contracts/plans'
import type { Deps } from '../deps.ts'
import { quotaMail, subscriptionMail } from '../mail/mails.ts'
import { DAY_MS } from '../sending/outbound.ts'
import { i18nOf } from '../sending/people.ts'

/** Longer than a period. */
const PERIOD_MS = 90 * DAY_MS
type Quota = Pick<EventOf<'QuotaUpdated'>['data'], 'usedSeconds' | 'periodEnd'> & {
  totalSeconds: number | null
  plan: string
  periodStart: string
}

/** The threshold that the account has passed in its current period: 100, 80 or undefined. */
const percentOf = ({ usedSeconds, totalSeconds, periodEnd }: Quota) =>
  totalSeconds !== null && Date.parse(periodEnd) > Date.now()
    ? percentPassed(usedSeconds, totalSeconds)
    : undefined

/** Claims the threshold that an account has passed, once per period, threshold and `way`; otherwise undefined. */
export async function claimThreshold(
  claims: Deps['claims'],
  way: 'mail' | 'chat',
  quota: Quota,
  { id, userId }: { id: string; userId: string },
): Promise<80 | 100 | undefined> {
  const percent = percentOf(quota)
  if (!percent) return undefined
  const claim = (mark: number) =>
    claims.onceIn(PERIOD_MS, `quota:${way}:${userId}:${quota.plan}:${quota.periodStart}:${mark}`, id, userId)
  // After 100 %, a message about 80 % would be outdated.
  if (percent === 100) await claim(80)
  return (await claim(percent)) ? percent : undefined
}

/** Mails about minutes and payments. In the chat, where messages cost money, the reply to the next note has them. */
export function createBillingHandlers(deps: Deps) {
  const { mails, people, claims } = deps
  return {
    async QuotaUpdated(event) {
      const { id, data } = event
      if (!percentOf(data)) return
      const person = await people.of(data.userId, event)
      const percent = person && (await claimThreshold(claims, 'mail', data, { id, userId: data.userId }))
      if (!percent) return
      const mail = quotaMail(i18nOf(person), person, { ...data, percent }, deps)
      await mails.toProved(`quota:${id}:mail`, person, mail)
    },
    async SubscriptionChanged(event) {
      const person = await people.of(event.data.userId, event)
      const mail = person && subscriptionMail(i18nOf(person), person, event.data, deps)
      if (mail) await mails.toProved(`subscription:${event.id}`, person, mail)
    },
  } satisfies Partial<HandlersFor<'notification'>>
}
