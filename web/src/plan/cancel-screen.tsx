import { i18n } from '../language/i18n.ts'
import { ResultPage } from './result-page.tsx'

export default function CancelScreen() {
  return (
    <ResultPage
      tone="neutral"
      title={i18n.t('Payment Cancelled')}
      links={{
        '/pricing': i18n.t('Back to pricing'),
        '/dashboard': i18n.t('Go to dashboard'),
        '/': i18n.t('Home'),
      }}
    >
      <p>{i18n.t('You weren’t charged and your plan hasn’t changed. You can upgrade whenever you like.')}</p>
    </ResultPage>
  )
}
