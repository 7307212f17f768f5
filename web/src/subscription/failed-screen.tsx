import { useSearchParams } from 'react-router-dom'
import { useConfig } from '../api/config.ts'
import { Banner } from '../ui/banner.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { ResultPage } from './result-page.tsx'

/** The longest text that is taken from the address. */
const LONGEST = 300

export default function FailedScreen() {
  const error = (useSearchParams()[0].get('error') ?? '').trim().slice(0, LONGEST)
  const { data } = useConfig()
  return (
    <ResultPage
      tone="bad"
      title="Payment failed"
      links={{ '/pricing': 'Try again', '/dashboard': 'Go to dashboard' }}
    >
      <Banner>{error || 'Payment Verification Failed'}</Banner>
      <p className="mt-5 text-base">
        Were you charged anyway? <TextLink to="/contact">Contact support</TextLink>
        {data?.supportEmail && (
          <>
            {' '}
            or write to <TextLink to={`mailto:${data.supportEmail}`}>{data.supportEmail}</TextLink>
          </>
        )}
        . We reply within 24 hours.
      </p>
    </ResultPage>
  )
}
