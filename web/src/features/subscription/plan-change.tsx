import { useState } from 'react'
import { messageOf } from '../../api/errors.ts'
import { useSubscriptionChange } from '../../api/subscription-change.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { day } from '../../ui/figures.ts'
import { toast } from '../../ui/toast.ts'

const telling = (fallback: string) => ({
  done: (message: string) => toast(message, { type: 'success' }),
  failed: (error: unknown) => toast(messageOf(error, fallback), { type: 'error' }),
})

/** Back to the free plan at the end of the period, or that taken back. */
export function PlanChange({ active, until }: { active: boolean; until: string }) {
  const [asking, setAsking] = useState(false)
  const downgrade = useSubscriptionChange('cancelSubscription', telling('Failed to downgrade subscription'))
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
        onClose={() => setAsking(false)}
        onConfirm={() => downgrade.mutate(undefined, { onSettled: () => setAsking(false) })}
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
