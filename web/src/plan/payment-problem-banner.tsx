import { call } from '../session/client.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { messageOf } from '../ui/error-message.ts'
import { useLeaving } from './use-leaving.ts'

/** Shown while Stripe retries a failed renewal; the plan stays active, and a new card ends it. */
export function PaymentProblemBanner() {
  const portal = useLeaving(async () => (await call('openPortal')).data.url)
  return (
    <>
      <Banner
        tone="warning"
        className="mt-6"
        action={
          <Button size="small" variant="secondary" busy={portal.busy} onClick={portal.start}>
            Update card
          </Button>
        }
      >
        Your last payment didn’t go through. Your plan stays active while we try again. Please check your card
        or use another one.
      </Banner>
      {portal.error && (
        <Banner className="mt-3">{messageOf(portal.error, 'The payment page couldn’t be opened')}</Banner>
      )}
    </>
  )
}
