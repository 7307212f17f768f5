import { useState } from 'react'
import { messageOf } from '../../api/errors.ts'
import { useSubscriptionChange } from '../../api/subscription-change.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { day } from '../../ui/figures.ts'
import { toast } from '../../ui/toast.ts'

/** What came of it is told at once: a dialog still open while the plan is read again would hide it. */
const telling = (fallback: string, close?: () => void) => ({
  done: (message: string) => {
    close?.()
    toast(message, { type: 'success' })
  },
  failed: (error: unknown) => {
    close?.()
    toast(messageOf(error, fallback), { type: 'error' })
  },
})

/** Back to the free plan at the end of the period, or that taken back. */
export function PlanChange({ active, until }: { active: boolean; until: string }) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const downgrade = useSubscriptionChange(
    'cancelSubscription',
    telling('Failed to downgrade subscription', close),
  )
  const reactivate = useSubscriptionChange(
    'reactivateSubscription',
    telling('Failed to reactivate subscription'),
  )
  return (
    <>
      {/* One button whatever it says, so that the focus stays on it when the state changes. */}
      <Button
        variant={active ? 'secondary' : 'primary'}
        busy={reactivate.isPending}
        onClick={() => (active ? setAsking(true) : reactivate.mutate())}
      >
        {active ? 'Downgrade to Free' : 'Reactivate'}
      </Button>
      <Dialog
        open={asking}
        title="Downgrade to the free plan?"
        onClose={close}
        onConfirm={() => downgrade.mutate()}
        confirmLabel="Yes, downgrade"
        closeLabel="Keep Pro"
        busy={downgrade.isPending}
        danger
      >
        You keep Pro until {day(until)} and are not charged again. From then on you have the free plan’s
        minutes.
      </Dialog>
    </>
  )
}
