import { i18n } from '../language/i18n.ts'
import { Button } from '../ui/action/button.tsx'
import { Banner } from '../ui/feedback/banner.tsx'
import { messageOf } from '../ui/feedback/toast.ts'
import { usePortal } from './leaving.ts'

/** Shown while Stripe retries a failed renewal. The plan stays active, and a new card ends the problem. */
export function PaymentProblemBanner() {
  const { start, busy, error } = usePortal()
  const update = (
    <Button size="small" variant="secondary" busy={busy} onClick={start}>
      {i18n.t('Update card')}
    </Button>
  )
  return (
    <>
      <Banner tone="warning" className="mt-6" action={update}>
        {i18n.t(
          'Your last payment didn’t go through. Your plan stays active while we try again. ' +
            'Please check your card or use another one.',
        )}
      </Banner>
      {error && (
        <Banner className="mt-3">{messageOf(error, i18n.t('The payment page couldn’t be opened'))}</Banner>
      )}
    </>
  )
}
