import { ResultPage } from './result-page.tsx'

const LINKS: [string, string][] = [
  ['/pricing', 'Back to pricing'],
  ['/dashboard', 'Go to dashboard'],
  ['/', 'Home'],
]

export default function CancelScreen() {
  return (
    <ResultPage tone="neutral" title="Payment Cancelled" links={LINKS}>
      <p>You weren’t charged and your plan hasn’t changed. You can upgrade whenever you like.</p>
    </ResultPage>
  )
}
