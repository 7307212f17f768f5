import { Link, useSearchParams } from 'react-router-dom'
import { useConfig } from '../api/config.ts'
import { Banner } from '../ui/banner.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { ResultPage } from './result-page.tsx'

/** The longest text that is taken from the address. */
const LONGEST = 300

export default function FailedScreen() {
  const [address] = useSearchParams()
  const error = (address.get('error') ?? '').trim().slice(0, LONGEST)
  return (
    <ResultPage
      tone="bad"
      title="Payment failed"
      links={
        <>
          <ButtonLink to="/pricing">Try again</ButtonLink>
          <ButtonLink to="/dashboard" variant="secondary">
            Go to dashboard
          </ButtonLink>
        </>
      }
    >
      <Banner>{error || 'Payment Verification Failed'}</Banner>
      <HelpIfCharged />
    </ResultPage>
  )
}

function HelpIfCharged() {
  const { data } = useConfig()
  return (
    <p className="mt-5 text-base">
      Were you charged anyway?{' '}
      <Link to="/contact" className="link">
        Contact support
      </Link>
      {data?.supportEmail && (
        <>
          {' '}
          or write to{' '}
          <a href={`mailto:${data.supportEmail}`} className="link">
            {data.supportEmail}
          </a>
        </>
      )}
      . We reply within 24 hours.
    </p>
  )
}
