import { ResultPage } from './result-page.tsx'

export default function CancelScreen() {
  return (
    <ResultPage
      tone="neutral"
      title="Payment Cancelled"
      links={{ '/pricing': 'Back to pricing', '/dashboard': 'Go to dashboard', '/': 'Home' }}
    >
      <p>You weren’t charged and your plan hasn’t changed. You can upgrade whenever you like.</p>
    </ResultPage>
  )
}
