import { useLocation, useNavigate } from 'react-router-dom'
import { useCheckout } from '../plan/leaving.ts'
import { useSession } from '../session/use-session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Starts the checkout; a signed-out visitor signs in first and comes back here. A subscriber has the plan already. */
export function SubscribeButton() {
  const { status, user } = useSession()
  const { start, busy, failure, dismiss } = useCheckout()
  const navigate = useNavigate()
  const location = useLocation()
  const signIn = () => navigate('/signin', { state: { from: location } })
  if (user?.subscription && user.subscription.plan !== 'free')
    return (
      <ButtonLink to="/subscription-details" size="large" variant="secondary" className="w-full">
        Your plan
      </ButtonLink>
    )
  return (
    <>
      <Button
        size="large"
        busy={busy}
        busyLabel="Processing..."
        onClick={status === 'signed-in' ? start : signIn}
        className="w-full"
      >
        Subscribe Now
      </Button>
      {failure && (
        <Dialog title="Checkout did not start" onClose={dismiss}>
          {failure}
        </Dialog>
      )}
    </>
  )
}
