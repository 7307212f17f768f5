import { ButtonLink } from '../../ui/button.tsx'
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
      <p>
        Nothing was charged, and nothing changed. Your plan is what it was; you can upgrade whenever you like.
      </p>
    </ResultPage>
  )
}
