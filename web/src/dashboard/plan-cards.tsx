import { Trans } from '@lingui/react'
import type { Subscription } from '@voxscribe/contracts/http'
import { i18n } from '../language/i18n.ts'
import { DONE, PlanBadge, PlanChange } from '../plan/plan-change.tsx'
import { ButtonLink, TextLink } from '../ui/action/button.tsx'
import { Meter } from '../ui/feedback/meter.tsx'
import { day } from '../ui/figures.ts'
import { TitledCard } from '../ui/layout/card.tsx'

/** Fills the day into a sentence's `<0>{date}</0>`. */
const dated = (iso: string) => ({
  components: { 0: <time dateTime={iso} /> },
  values: { date: day(iso) },
})

export function MinutesCard({ subscription_minutes: max, used_minutes, current_period_end }: Subscription) {
  if (max === null) return null
  const left = Math.max(0, max - used_minutes)
  return (
    <TitledCard title={i18n.t('Minutes remaining')}>
      <Meter
        value={left}
        max={max}
        of={i18n.t('{max, plural, one {of # minute} other {of # minutes}}', { max })}
      />
      <p className="mt-3 text-soft">
        <Trans id="Resets on <0>{date}</0>." {...dated(current_period_end)} />
      </p>
      <TextLink to="/transcription-history" className="mt-4 inline-block">
        {i18n.t('View transcription history')}
      </TextLink>
    </TitledCard>
  )
}

/** Milliseconds; the dashboard's toasts are the short ones (specification, section 9). */
const TOAST_DURATION = 3000

/** The share of used minutes from which the paid plan is offered prominently. */
const NEAR_LIMIT = 0.8

const Upgrade = ({ isNearLimit }: { isNearLimit: boolean }) =>
  isNearLimit ? (
    <ButtonLink to="/pricing" className="mt-4 w-full">
      {i18n.t('Upgrade to Pro')}
    </ButtonLink>
  ) : (
    <TextLink to="/pricing" className="mt-4 inline-block">
      {i18n.t('Upgrade to Pro')}
    </TextLink>
  )

/** `sells`: whether the paid plan is for sale; if not, people without it don't see the card. */
export function SubscriptionCard({ sells, ...plan }: Subscription & { sells: boolean }) {
  const { status, subscription_minutes: minutes, current_period_end } = plan
  const isFree = plan.plan === 'free'
  if (isFree && !sells) return null
  const isEnding = status === 'canceling' || status === 'canceled'
  const labels: [string, string] = [i18n.t('Pro Plan Active'), i18n.t('Pro Plan - Canceling')]
  return (
    <TitledCard title={i18n.t('Subscription')} badge={<PlanBadge {...plan} labels={labels} />}>
      <p className="mt-2 text-soft">
        {minutes === null ? null : isFree ? (
          i18n.t(
            '{minutes, plural, one {# minute a month, no card needed.} other {# minutes a month, no card needed.}}',
            { minutes },
          )
        ) : (
          <>
            {i18n.t('{minutes, plural, one {# minute a month.} other {# minutes a month.}}', { minutes })}{' '}
            {status === 'active' && <Trans id="Renews on <0>{date}</0>." {...dated(current_period_end)} />}
            {isEnding && <Trans id="Pro features until <0>{date}</0>." {...dated(current_period_end)} />}
          </>
        )}
      </p>
      {isFree ? (
        <Upgrade isNearLimit={minutes !== null && plan.used_minutes >= NEAR_LIMIT * minutes} />
      ) : (
        <div className="mt-4 grid gap-3">
          {isEnding && <p className="text-soft text-sm">{i18n.t(DONE.cancelSubscription)}</p>}
          <PlanChange action="cancel" status={status} until={current_period_end} duration={TOAST_DURATION} />
          <TextLink to="/subscription-details" className="justify-self-start">
            {i18n.t('Subscription details')}
          </TextLink>
        </div>
      )}
    </TitledCard>
  )
}
