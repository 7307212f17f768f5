import { ButtonLink } from '../ui/button.tsx'
import { ResultPage } from './result-page.tsx'

export default function CancelScreen() {
  return (
    <ResultPage
      tone="neutral"
      title="Payment Cancelled"
      links={
        <>
          <ButtonLink to="/pricing">Back to pricing</ButtonLink>
          <ButtonLink to="/dashboard" variant="secondary">
            Go to dashboard
          </ButtonLink>
          <ButtonLink to="/" variant="quiet">
            Home
          </ButtonLink>
        </>
      }
    >
      <p>You weren’t charged and your plan hasn’t changed. You can upgrade whenever you like.</p>
    </ResultPage>
  )
}
