import { useLocation, useNavigate } from 'react-router-dom'
import { useCheckout } from '../plan/checkout.ts'
import { useSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

/** Starts the checkout; a signed-out visitor signs in first and comes back here. */
export function SubscribeButton() {
  const { status } = useSession()
  const { start, busy, failure, dismiss } = useCheckout()
  const navigate = useNavigate()
  const location = useLocation()
  const subscribe = () => {
    if (status === 'signed-in') start()
    else navigate('/signin', { state: { from: location } })
  }
  return (
    <>
      <Button size="large" busy={busy} busyLabel="Processing..." onClick={subscribe} className="w-full">
        Subscribe Now
      </Button>
      <Dialog open={failure !== null} title="Checkout did not start" onClose={dismiss}>
        {failure}
      </Dialog>
    </>
  )
}
