import type { VerifiedSession } from '@voxscribe/contracts/http'
import { useSearchParams } from 'react-router-dom'
import { useSession } from '../session/use-session.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { day, money } from '../ui/figures.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { paidPeriod } from './period.ts'
import { ResultPage } from './result-page.tsx'
import { unpaidText, useVerification, verificationText } from './verification.ts'

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
