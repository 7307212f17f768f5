import type { EventOf, HandlersFor } from '@voxscribe/contracts/events'
import { moreText, quotaText } from '../chat/chat-texts.ts'
import { quotaMail, subscriptionMail } from '../mail/mails.ts'
import { DAY_MS } from '../sending/outbound.ts'
import { i18nOf } from '../sending/people.ts'
import type { Deps } from './deps.ts'

/** Longer than a period. */
const PERIOD_MS = 90 * DAY_MS
/** Less than this is shown as 0.0 minutes and fits no note. */
const NOTHING_SECONDS = 6

/** The threshold that the account has passed: 100, 80 or none. */
function percentPassed({ usedSeconds, totalSeconds }: EventOf<'QuotaUpdated'>['data']) {
  if (totalSeconds <= 0) return undefined
  if (totalSeconds - usedSeconds < NOTHING_SECONDS) return 100
  return usedSeconds * 100 >= totalSeconds * 80 ? 80 : undefined
}

/** Mails and messages about minutes and money. */
export function createBillingHandlers({ outbound, mails, people, claims, publicUrl }: Deps) {
  /** Warns once for each period and mark. */
  async function warn(event: EventOf<'QuotaUpdated'>, percent: 80 | 100): Promise<void> {
    const { id, data } = event
    const person = await people.of(data.userId, event)
    if (!person) return
    const claim = (mark: number) =>
      claims.onceIn(
        PERIOD_MS,
        `quota:${data.userId}:${data.plan}:${data.periodStart}:${mark}`,
        id,
        data.userId,
      )
    // After 100 %, 80 % is no news any more.
    if (percent === 100) await claim(80)
    if (!(await claim(percent))) return
    const i18n = i18nOf(person)
    await mails.toProved(`quota:${id}:mail`, person, quotaMail(i18n, person, percent, data, publicUrl))
    if (!person.chat) return
    const text = `${quotaText(i18n, percent, data.periodEnd)} ${moreText(i18n, publicUrl)}`
    await outbound.chat(`quota:${id}:chat`, person.chat, text)
  }

  return {
    async QuotaUpdated(event) {
      const percent = percentPassed(event.data)
      // A warning about a period that is over is of no use.
      if (percent && Date.parse(event.data.periodEnd) > Date.now()) await warn(event, percent)
    },
    async SubscriptionChanged(event) {
      const person = await people.of(event.data.userId, event)
      const mail = person && subscriptionMail(i18nOf(person), person, event.data, publicUrl)
      if (mail) await mails.toProved(`subscription:${event.id}`, person, mail)
    },
  } satisfies Partial<HandlersFor<'notification'>>
}
