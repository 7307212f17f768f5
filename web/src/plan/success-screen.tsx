import { useQuery } from '@tanstack/react-query'
import type { VerifiedSession } from '@voxscribe/contracts/http'
import { FALLBACK_PERIOD_DAYS } from '@voxscribe/contracts/plans'
import { useSearchParams } from 'react-router-dom'
import { ApiError } from '../api/errors.ts'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { useProfileChange } from '../session/use-profile.ts'
import { useSession } from '../session/use-session.ts'
import { Button, Spinner } from '../ui/action/button.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { day, money } from '../ui/figures.ts'
import { Summary } from '../ui/layout/details.tsx'
import { Facts } from '../ui/layout/facts.tsx'
import { PageTitle } from '../ui/layout/page.tsx'
import { ResultPage } from './result-page.tsx'

export default function SuccessScreen() {
  const sessionId = (useSearchParams()[0].get('session_id') ?? '').trim()
  const profile = useProfileChange()
  // Asked once per visit. When it is paid, the profile is fetched again and stored.
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
      <details className="group mt-3 text-sm">
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

/** Returns the paid session, or the message why it isn't known to be paid. An unsuccessful 200 is a refusal. */
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
