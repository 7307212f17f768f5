import type { EventOf, HandlersFor } from '@voxscribe/contracts/events'
import { quotaText } from '../chat/chat-texts.ts'
import { quotaMail, subscriptionMail } from '../mail/mails.ts'
import type { Deps } from './deps.ts'

const PERCENTS = [100, 80] as const
/** Less than this is shown as 0.0 minutes and fits no note. */
const NOTHING_SECONDS = 6

/** The threshold that the account has passed: 100, 80 or none. */
function percentPassed({ usedSeconds, totalSeconds }: EventOf<'QuotaUpdated'>['data']) {
  if (totalSeconds <= 0) return undefined
  return PERCENTS.find(percent =>
    percent === 100
      ? totalSeconds - usedSeconds < NOTHING_SECONDS
      : usedSeconds * 100 >= totalSeconds * percent,
  )
}

/** Mails and messages about minutes and money. */
export function createBillingHandlers({ outbound, people, claims, publicUrl, now }: Deps) {
  /** Warns once for each period and mark. */
  async function warn(event: EventOf<'QuotaUpdated'>, percent: 80 | 100): Promise<void> {
    const { id, data } = event
    const person = await people.of(data.userId, event)
    if (!person) return
    const period = `${data.userId}:${data.plan}:${data.periodStart}`
    if (!(await claims.threshold(period, percent, id))) return
    await outbound.mail(`quota:${id}:mail`, quotaMail(person, percent, data, publicUrl))
    const chat = await people.lastChat(data.userId)
    if (!chat) return
    const text = `${quotaText(percent, data.periodEnd)} More minutes: ${publicUrl}/pricing`
    await outbound.chat(`quota:${id}:chat`, chat, text)
  }

  return {
    async QuotaUpdated(event) {
      const percent = percentPassed(event.data)
      // A warning about a period that is over is of no use.
      if (percent && new Date(event.data.periodEnd) > now()) await warn(event, percent)
    },
    async SubscriptionChanged(event) {
      const person = await people.of(event.data.userId, event)
      const mail = person && subscriptionMail(person, event.data, publicUrl)
      if (mail) await outbound.mail(`subscription:${event.id}`, mail)
    },
  } satisfies Partial<HandlersFor<'notification'>>
}
