import { Trans } from '@lingui/react'
import { MAX_FILE_MB, SUPPORT_HOURS } from '@voxscribe/contracts/limits'
import { PLANS, REFUND_DAYS } from '@voxscribe/contracts/plans'
import { quantity } from '@voxscribe/contracts/wording'
import type { ReactNode } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import { useConfig } from '../api/config.ts'
import { useOpenToAll } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { useSession } from '../session/session.ts'
import { Button, ButtonLink } from '../ui/action/button.tsx'
import { Dialog } from '../ui/action/dialog.tsx'
import { classes } from '../ui/classes.ts'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { figure, money } from '../ui/figures.ts'
import { Icon } from '../ui/icon.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Questions } from '../ui/layout/details.tsx'
import { Page } from '../ui/layout/page.tsx'
import { useCheckout } from './leaving.ts'
import { SpeechHere } from './speech-here.tsx'

const questions = (free: number) => ({
  [i18n.t('What counts as a minute?')]: i18n.t(
    '{seconds, plural, one {The length of the audio that was transcribed, to the second. A note of # second takes # second off your minutes. Notes that fail, or in which nobody speaks, cost nothing.} other {The length of the audio that was transcribed, to the second. A note of # seconds takes # seconds off your minutes. Notes that fail, or in which nobody speaks, cost nothing.}}',
    { seconds: 40 },
  ),
  [i18n.t('What happens when my minutes run out?')]: i18n.t(
    'If a note is longer than the minutes you have left, we don’t transcribe it and tell you so in the chat. You’re not charged. On the free plan your minutes reset every month; with Pro you get {minutes} right away.',
    { minutes: figure(PLANS.monthly.minutes) },
  ),
  [i18n.t('Do unused minutes carry over?')]: i18n.t(
    '{free, plural, one {No. Each month starts with the full amount: # minute on the free plan, {paid} on Pro.} other {No. Each month starts with the full amount: # minutes on the free plan, {paid} on Pro.}}',
    { free, paid: figure(PLANS.monthly.minutes) },
  ),
  [i18n.t('How do I pay?')]: i18n.t(
    'By card, on our payment provider’s page. We never see or store your card number. The plan renews each month until you cancel.',
  ),
  [i18n.t('How do I cancel?')]: i18n.t(
    'With one button on your dashboard. You keep Pro until the end of the month you’ve paid for, then you move to the free plan. You can change your mind until then.',
  ),
  [i18n.t('Can I get my money back?')]: i18n.t(
    '{days, plural, one {Yes, within # day of the payment. Write to support from the contact page; you don’t need to give a reason.} other {Yes, within # days of the payment. Write to support from the contact page; you don’t need to give a reason.}}',
    { days: REFUND_DAYS },
  ),
})

/** Redirects home if nothing is for sale. */
export default function PricingScreen() {
  const config = useConfig()
  if (config.data?.plans === false) return <Navigate to="/" replace />
  return (
    <Page
      open
      title={i18n.t('Pricing')}
      heading={<Trans id="Two plans. <0>One is free.</0>" components={{ 0: <span className="marked" /> }} />}
      intro={i18n.t('Every account starts on the free plan. Move up when your voice notes do.')}
    >
      <LoadError of={[config]} fallback={i18n.t('Failed to load this page')} />
      {config.isPending && (
        <Skeletons className="mt-10 gap-6 md:grid-cols-2" heights={['h-[32rem]', 'h-[32rem]']} />
      )}
      {config.data && <Plans free={config.data.freeMinutes ?? 0} telegramUrl={config.data.telegramUrl} />}
    </Page>
  )
}

/** `free`: minutes per month. */
function Plans({ free, telegramUrl }: { free: number; telegramUrl: string | null }) {
  const openToAll = useOpenToAll()
  return (
    <>
      <div className="mt-10 grid gap-6 md:grid-cols-2">
        <PlanCard
          name={i18n.t('Free|plan')}
          price={0}
          minutes={free}
          points={[
            i18n.t('No card needed'),
            <>
              {i18n.t('50+ languages, detected automatically')}
              <SpeechHere />
            </>,
            i18n.t('Searchable history'),
            ...(telegramUrl ? [i18n.t('Works in Telegram, too, which charges nothing for messages')] : []),
            i18n.t('Files of up to {size}', { size: quantity(i18n, MAX_FILE_MB, 'megabyte') }),
          ]}
        >
          {openToAll && (
            <ButtonLink to="/signup" variant="secondary" size="large" className="w-full">
              {i18n.t('Get started free')}
            </ButtonLink>
          )}
        </PlanCard>
        <PlanCard
          name="Pro"
          price={PLANS.monthly.cents / 100}
          minutes={PLANS.monthly.minutes}
          points={[
            i18n.t('Everything in Free'),
            i18n.t('Cancel anytime'),
            i18n.t('{days, plural, one {#-day money-back guarantee} other {#-day money-back guarantee}}', {
              days: REFUND_DAYS,
            }),
            i18n.t(
              '{hours, plural, one {Support reply within # hour} other {Support reply within # hours}}',
              { hours: SUPPORT_HOURS },
            ),
          ]}
          preferred
        >
          <SubscribeButton />
        </PlanCard>
      </div>
      <div className="mt-20 grid gap-x-16 gap-y-10 lg:grid-cols-[1.6fr_1fr]">
        <Questions questions={questions(free)} />
        <aside className="self-start rounded-card bg-sunken p-7">
          <h2 className="text-2xl">{i18n.t('Not sure yet?')}</h2>
          <p className="mt-2 text-soft">
            {i18n.t(
              '{minutes, plural, one {Send us the longest voice note you have been putting off. The first minute of every month is free.} other {Send us the longest voice note you have been putting off. The first # minutes of every month are free.}}',
              { minutes: free },
            )}
          </p>
          <div className="mt-5 flex flex-wrap gap-3">
            {openToAll && <ButtonLink to="/signup">{i18n.t('Sign Up')}</ButtonLink>}
            <ButtonLink to="/dashboard" variant="secondary">
              {i18n.t('Go to Dashboard')}
            </ButtonLink>
          </div>
        </aside>
      </div>
    </>
  )
}

interface PlanCardProps {
  name: string
  /** US dollars per month. */
  price: number
  /** Per month. */
  minutes: number
  points: ReactNode[]
  preferred?: boolean
  children: ReactNode
}

const PlanCard = ({ name, price, minutes, points, preferred, children }: PlanCardProps) => (
  <Card className={classes('flex flex-col gap-6 p-7 sm:p-9', preferred && 'ring-2 ring-accent')}>
    <div>
      <h2 className="text-2xl">{name}</h2>
      <p className="mt-3">
        <Trans
          id="<0>{price}</0> <1>per month</1>"
          values={{ price: money(price, 'USD', { trailingZeroDisplay: 'stripIfInteger' }) }}
          components={{
            0: <span className="font-bold font-display text-5xl tracking-tight" />,
            1: <span className="text-soft" />,
          }}
        />
      </p>
      <p className="mt-2 font-semibold text-lg">
        {i18n.t('{minutes, plural, one {# minute per month} other {{minutes} minutes per month}}', {
          minutes,
        })}
      </p>
    </div>
    <ul className="grid flex-1 content-start gap-2.5">
      {points.map((point, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <li key={index} className="flex gap-3">
          <Icon of="m4 12 5 5L20 7" width={3} className="mt-1 size-4.5 shrink-0 text-accent" />
          <span>{point}</span>
        </li>
      ))}
    </ul>
    {children}
  </Card>
)

/** Starts the checkout. A signed-out visitor signs in first and returns here; a subscriber already has the plan. */
function SubscribeButton() {
  const { status, user } = useSession()
  const { start, busy, failure, dismiss } = useCheckout('monthly')
  const navigate = useNavigate()
  const location = useLocation()
  const signIn = () => navigate('/signin', { state: { from: location } })
  if (user?.subscription && user.subscription.plan !== 'free')
    return (
      <ButtonLink to="/subscription-details" size="large" variant="secondary" className="w-full">
        {i18n.t('Your plan')}
      </ButtonLink>
    )
  return (
    <>
      <Button
        size="large"
        busy={busy}
        busyLabel={i18n.t('Processing...')}
        onClick={status === 'signed-in' ? start : signIn}
        className="w-full"
      >
        {i18n.t('Subscribe Now')}
      </Button>
      {failure && (
        <Dialog title={i18n.t('Checkout didn’t start')} onClose={dismiss}>
          {failure}
        </Dialog>
      )}
    </>
  )
}
