import { Trans } from '@lingui/react'
import { SUPPORT_HOURS } from '@voxscribe/contracts/limits'
import { useSearchParams } from 'react-router-dom'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { TextLink } from '../ui/action/button.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { ResultPage } from './result-page.tsx'

/** The longest text that is taken from the address. */
const LONGEST = 300

export default function FailedScreen() {
  const error = (useSearchParams()[0].get('error') ?? '').trim().slice(0, LONGEST)
  const email = useConfig().data?.supportEmail
  const contact = <TextLink to="/contact" />
  return (
    <ResultPage
      tone="bad"
      title={i18n.t('Payment failed')}
      links={{ '/pricing': i18n.t('Try again'), '/dashboard': i18n.t('Go to dashboard') }}
    >
      <Banner>{error || i18n.t('Payment Verification Failed')}</Banner>
      <p className="mt-5 text-base">
        {email ? (
          <Trans
            id="{hours, plural, one {Were you charged anyway? <0>Contact support</0> or write to <1>{email}</1>. We reply within # hour.} other {Were you charged anyway? <0>Contact support</0> or write to <1>{email}</1>. We reply within # hours.}}"
            components={{ 0: contact, 1: <TextLink to={`mailto:${email}`} /> }}
            values={{ email, hours: SUPPORT_HOURS }}
          />
        ) : (
          <Trans
            id="{hours, plural, one {Were you charged anyway? <0>Contact support</0>. We reply within # hour.} other {Were you charged anyway? <0>Contact support</0>. We reply within # hours.}}"
            components={{ 0: contact }}
            values={{ hours: SUPPORT_HOURS }}
          />
        )}
      </p>
    </ResultPage>
  )
}
