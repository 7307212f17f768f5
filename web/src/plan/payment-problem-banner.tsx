import { call } from '../session/client.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { messageOf } from '../ui/error-message.ts'
import { useLeaving } from './use-leaving.ts'

/** While a renewal could not be charged, Stripe tries again by itself and the plan goes on; a new card solves it. */
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
        Your last payment did not go through. Your plan stays active while we try again. Please check your
        card or use another one.
      </Banner>
      {portal.error && (
        <Banner className="mt-3">{messageOf(portal.error, 'The payment page couldn’t be opened')}</Banner>
      )}
    </>
  )
}
