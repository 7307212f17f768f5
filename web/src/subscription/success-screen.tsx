import { useQuery } from '@tanstack/react-query'
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
import { paidPeriod } from './period.ts'
import { ResultPage } from './result-page.tsx'

export default function SuccessScreen() {
  const [address] = useSearchParams()
  const sessionId = (address.get('session_id') ?? '').trim()
  const verification = useVerification(sessionId)
  if (!sessionId) return <NotVerified reason="No session ID found" />
  if (verification.isFetching) return <Verifying />
  if (verification.isError)
    return (
      <NotVerified reason={verificationText(verification.error)} onRetry={() => verification.refetch()} />
    )
  if (!verification.data) return <Verifying />
  const unpaid = unpaidText(verification.data.session?.paymentStatus ?? '')
  return unpaid ? (
    <NotVerified reason={unpaid} onRetry={() => verification.refetch()} />
  ) : (
    <Paid verified={verification.data} sessionId={sessionId} />
  )
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
    action={onRetry && <Button onClick={onRetry}>Check again</Button>}
    links={[
      ['/pricing', 'View pricing'],
      ['/contact', 'Contact support'],
      ['/dashboard', 'Go to dashboard'],
    ]}
  >
    <Banner>{reason}</Banner>
  </ResultPage>
)

function Paid({ verified, sessionId }: { verified: VerifiedSession; sessionId: string }) {
  const { user } = useSession()
  const { session } = verified
  const { start, end } = paidPeriod(verified)
  return (
    <ResultPage
      tone="good"
      title="Payment successful"
      links={[
        ['/dashboard', 'Go to dashboard'],
        ['/transcription', 'View transcriptions'],
      ]}
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
const TIMED_OUT = 'Payment verification timed out. Please check your subscription status or contact support.'
const NO_ANSWER = 'Failed to verify payment. Please try again or contact support.'

/** Returns the message for a payment session's status; null when it is paid. */
function unpaidText(status: string): string | null {
  if (status === 'paid') return null
  if (status === 'unpaid') return 'Payment was not completed. Please try again or contact support.'
  if (status === 'canceled') return 'Payment was canceled. No charges were made to your account.'
  return `Payment status: ${status || 'unknown'}. Please contact support.`
}

/** Returns the message of a failed verification. An unsuccessful 200 is a refusal or a timeout; status 0 means no answer came. */
function verificationText(error: unknown): string {
  if (!(error instanceof ApiError) || error.status === 0) return NO_ANSWER
  if (error.status < 300) return error.message || 'Failed to verify payment'
  return `Payment verification failed: ${error.message}`
}

/** The answer, unless it takes longer than 30 seconds. */
async function verify(sessionId: string): Promise<VerifiedSession> {
  const signal = AbortSignal.timeout(TIMEOUT)
  try {
    return (await call('verifySession', { body: { sessionId }, signal })).data
  } catch (error) {
    throw signal.aborted ? new ApiError(TIMED_OUT, 200) : error
  }
}

/** Asks once per visit for the outcome of the payment. When it is paid, the profile is fetched again and stored. */
function useVerification(sessionId: string) {
  const profile = useProfileChange()
  return useQuery({
    queryKey: ['verification', sessionId],
    queryFn: async () => {
      const verified = await verify(sessionId)
      if (verified.session?.paymentStatus === 'paid') void profile.reload()
      return verified
    },
    enabled: sessionId !== '',
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}
