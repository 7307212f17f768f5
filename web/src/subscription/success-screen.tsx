import { useQuery } from '@tanstack/react-query'
import { FALLBACK_PERIOD_DAYS } from '@voxscribe/contracts/business'
import type { VerifiedSession } from '@voxscribe/contracts/http'
import { useSearchParams } from 'react-router-dom'
import { ApiError } from '../api/errors.ts'
import { call } from '../session/client.ts'
import { useProfileChange } from '../session/use-profile.ts'
import { useSession } from '../session/use-session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { day, money } from '../ui/figures.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { Spinner } from '../ui/spinner.tsx'
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
  if (!sessionId) return <NotVerified reason="No session ID found" />
  if (isFetching || !outcome) return <Verifying />
  if (typeof outcome === 'string') return <NotVerified reason={outcome} onRetry={refetch} />
  return <Paid {...outcome} sessionId={sessionId} />
}

const Verifying = () => (
  <div className="page grid max-w-2xl justify-items-start gap-4 py-14 sm:py-20">
    <PageTitle title="Verifying your payment" />
    <p className="text-lg text-soft">
      <Spinner label="One moment, this takes a few seconds." />
    </p>
  </div>
)

const NotVerified = ({ reason, onRetry }: { reason: string; onRetry?(): void }) => (
  <ResultPage
    tone="bad"
    title="Payment not confirmed"
    action={onRetry && <Button onClick={() => onRetry()}>Check again</Button>}
    links={{ '/pricing': 'View pricing', '/contact': 'Contact support', '/dashboard': 'Go to dashboard' }}
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
      title="Payment successful"
      links={{ '/dashboard': 'Go to dashboard', '/transcription': 'View transcriptions' }}
    >
      <p role="status">You’re on Pro. Your new minutes are ready to use.</p>
      <Facts
        className="mt-6 text-base"
        facts={[
          ['Amount', money(session.amountTotal, session.currency)],
          ['Period', `${day(start)} to ${day(end)}`],
          ['Name', user?.name || user?.first_name || 'User'],
          ['Session ID', sessionId],
        ]}
      />
    </ResultPage>
  )
}

/** Milliseconds. */
const TIMEOUT = 30_000
const UNPAID: Record<string, string> = {
  unpaid: 'Payment was not completed. Please try again or contact support.',
  canceled: 'Payment was canceled. No charges were made to your account.',
}

/** Returns the paid session, or the message why it isn't known to be paid. An unsuccessful 200 is a refusal. */
async function verify(sessionId: string): Promise<VerifiedSession | string> {
  const signal = AbortSignal.timeout(TIMEOUT)
  try {
    const { data } = await call('verifySession', { body: { sessionId }, signal })
    const status = data.session?.paymentStatus || 'unknown'
    if (status === 'paid') return data
    return UNPAID[status] ?? `Payment status: ${status}. Please contact support.`
  } catch (error) {
    if (signal.aborted)
      return 'Payment verification timed out. Please check your subscription status or contact support.'
    if (!(error instanceof ApiError) || error.status === 0)
      return 'Failed to verify payment. Please try again or contact support.'
    if (error.status < 300) return error.message || 'Failed to verify payment'
    return `Payment verification failed: ${error.message}`
  }
}
