import { Trans } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import type { VerifiedSession } from '@voxscribe/contracts/http'
import { SUPPORT_HOURS } from '@voxscribe/contracts/limits'
import { FALLBACK_PERIOD_DAYS } from '@voxscribe/contracts/plans'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useConfig } from '../api/config.ts'
import { ApiError } from '../api/errors.ts'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { useSession } from '../session/session.ts'
import { useProfileChange } from '../session/use-profile.ts'
import { Button, ButtonLink, Spinner, TextLink } from '../ui/action/button.tsx'
import { classes } from '../ui/classes.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { day, money } from '../ui/figures.ts'
import { Icon } from '../ui/icon.tsx'
import { Summary } from '../ui/layout/details.tsx'
import { Facts } from '../ui/layout/facts.tsx'
import { PageTitle } from '../ui/layout/page.tsx'

const LOOKS = {
  good: { colours: 'bg-good-wash text-good', sign: 'M7 12.5l3.500 3.500L17 8.500' },
  bad: { colours: 'bg-bad-wash text-bad', sign: 'M8 8l8 8M16 8l-8 8' },
  neutral: { colours: 'bg-wash text-accent', sign: 'M7 12h10' },
}
const VARIANTS = ['primary', 'secondary', 'quiet'] as const

interface ResultPageProps {
  tone: keyof typeof LOOKS
  title: string
  children: ReactNode
  action?: ReactNode
  /** Labels of links to other pages, by address, the most important one first. */
  links: Record<string, string>
}

/** The outcome of a payment: a sign, the outcome, the next steps. */
const ResultPage = ({ tone, title, children, action, links }: ResultPageProps) => (
  <div className="page max-w-2xl py-14 sm:py-20">
    <div className="rounded-card border border-line bg-surface p-6 shadow-sheet sm:p-10">
      <div className={classes('mb-6 grid size-14 place-items-center rounded-full', LOOKS[tone].colours)}>
        <Icon of={LOOKS[tone].sign} width={2.4} className="size-8" />
      </div>
      <PageTitle title={title} takesFocus />
      <div className="mt-4 text-lg text-soft">{children}</div>
      <div className="mt-8 flex flex-wrap gap-3">
        {action}
        {Object.entries(links).map(([to, label], index) => (
          <ButtonLink key={to} to={to} variant={VARIANTS[index + (action ? 1 : 0)] ?? 'quiet'}>
            {label}
          </ButtonLink>
        ))}
      </div>
    </div>
  </div>
)

export function SuccessScreen() {
  const sessionId = (useSearchParams()[0].get('session_id') ?? '').trim()
  const profile = useProfileChange()
  // Verified once per visit. If it's paid, the profile is fetched again and stored.
  const {
    data: outcome,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['verification', sessionId],
    queryFn: async () => {
      const verified = await verify(sessionId)
      if (typeof verified !== 'string') void profile.reload()
      return verified
    },
    enabled: sessionId !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (!sessionId) return <NotVerified reason={i18n.t('No session ID found')} />
  if (isFetching || !outcome) return <Verifying />
  if (typeof outcome === 'string') return <NotVerified reason={outcome} onRetry={refetch} />
  return <Paid {...outcome} sessionId={sessionId} />
}

const Verifying = () => (
  <div className="page grid max-w-2xl justify-items-start gap-4 py-14 sm:py-20">
    <PageTitle title={i18n.t('Verifying your payment')} />
    <p className="text-lg text-soft">
      <Spinner label={i18n.t('One moment, this takes a few seconds.')} />
    </p>
  </div>
)

const NotVerified = ({ reason, onRetry }: { reason: string; onRetry?(): void }) => (
  <ResultPage
    tone="bad"
    title={i18n.t('Payment not confirmed')}
    action={onRetry && <Button onClick={() => onRetry()}>{i18n.t('Check again')}</Button>}
    links={{
      '/pricing': i18n.t('View pricing'),
      '/contact': i18n.t('Contact support'),
      '/dashboard': i18n.t('Go to dashboard'),
    }}
  >
    <Banner>{reason}</Banner>
  </ResultPage>
)

const DAY = 24 * 60 * 60 * 1000

function Paid({ session, subscription, sessionId }: VerifiedSession & { sessionId: string }) {
  const { user } = useSession()
  const start = subscription?.currentPeriodStart || session.createdAt
  const end = subscription?.currentPeriodEnd || Date.parse(session.createdAt) + FALLBACK_PERIOD_DAYS * DAY
  return (
    <ResultPage
      tone="good"
      title={i18n.t('Payment successful')}
      links={{ '/dashboard': i18n.t('Go to dashboard'), '/transcription': i18n.t('View transcriptions') }}
    >
      <p role="status">
        {i18n.t(
          'You’re on Pro. Your new minutes are ready to use. They replace this month’s free minutes, used or not.',
        )}
      </p>
      <Facts
        className="mt-6 text-base"
        facts={[
          [i18n.t('Amount'), money(session.amountTotal, session.currency)],
          [i18n.t('Period'), i18n.t('{start} to {end}', { start: day(start), end: day(end) })],
          [i18n.t('Name'), user?.name || user?.first_name || i18n.t('User')],
        ]}
      />
      <details className="mt-3 text-sm">
        <Summary>{i18n.t('Details')}</Summary>
        <Facts look="line" facts={[[i18n.t('Session ID'), sessionId]]} />
      </details>
    </ResultPage>
  )
}

/** Milliseconds. */
const TIMEOUT = 30_000
const UNPAID: Record<string, string> = {
  unpaid: /*i18n*/ 'Payment was not completed. Please try again or contact support.',
  canceled: /*i18n*/ 'Payment was canceled. No charges were made to your account.',
}

/** Returns the paid session, or a message why it isn't known to be paid. An unsuccessful 200 is a refusal. */
async function verify(sessionId: string): Promise<VerifiedSession | string> {
  const signal = AbortSignal.timeout(TIMEOUT)
  try {
    const { data } = await call('verifySession', { body: { sessionId }, signal })
    const status = data.session?.paymentStatus || 'unknown'
    if (status === 'paid') return data
    const known = UNPAID[status]
    return known ? i18n.t(known) : i18n.t('Payment status: {status}. Please contact support.', { status })
  } catch (error) {
    if (signal.aborted)
      return i18n.t(
        'Payment verification timed out. Please check your subscription status or contact support.',
      )
    if (!(error instanceof ApiError) || error.status === 0)
      return i18n.t('Failed to verify payment. Please try again or contact support.')
    if (error.status < 300) return error.message || i18n.t('Failed to verify payment')
    return i18n.t('Payment verification failed: {reason}', { reason: error.message })
  }
}

export function CancelScreen() {
  return (
    <ResultPage
      tone="neutral"
      title={i18n.t('Payment Cancelled')}
      links={{
        '/pricing': i18n.t('Back to pricing'),
        '/dashboard': i18n.t('Go to dashboard'),
        '/': i18n.t('Home'),
      }}
    >
      <p>{i18n.t('You weren’t charged and your plan hasn’t changed. You can upgrade whenever you like.')}</p>
    </ResultPage>
  )
}

/** Maximum characters taken from the address. */
const LONGEST = 300

export function FailedScreen() {
  const error = (useSearchParams()[0].get('error') ?? '').trim().slice(0, LONGEST)
  const email = useConfig().data?.supportEmail
  const contact = <TextLink to="/contact" />
  return (
    <ResultPage
      tone="bad"
      title={i18n.t('Payment failed')}
      links={{ '/pricing': i18n.t('Try again'), '/dashboard': i18n.t('Go to dashboard') }}
    >
      <Banner>{error || i18n.t('Payment Verification Failed')}</Banner>
      <p className="mt-5 text-base">
        {email ? (
          <Trans
            id="{hours, plural, one {Were you charged anyway? <0>Contact support</0> or write to <1>{email}</1>. We reply within # hour.} other {Were you charged anyway? <0>Contact support</0> or write to <1>{email}</1>. We reply within # hours.}}"
            components={{ 0: contact, 1: <TextLink to={`mailto:${email}`} translate="no" /> }}
            values={{ email, hours: SUPPORT_HOURS }}
          />
        ) : (
          <Trans
            id="{hours, plural, one {Were you charged anyway? <0>Contact support</0>. We reply within # hour.} other {Were you charged anyway? <0>Contact support</0>. We reply within # hours.}}"
            components={{ 0: contact }}
            values={{ hours: SUPPORT_HOURS }}
          />
        )}
      </p>
    </ResultPage>
  )
}
