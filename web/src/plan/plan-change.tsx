import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { messageOf } from '../ui/error-message.ts'
import { toast } from '../ui/toast.ts'
import { useSubscriptionChange } from './subscription-change.ts'

interface PlanChangeProps {
  /** Else it ends with its period. */
  active: boolean
  cancelLabel: string
  question: string
  confirmLabel: string
  /** For a refusal without a message. */
  cancelFailed: string
  /** Milliseconds that the outcome is shown. */
  duration?: number
  /** Explains what happens to the plan when it is cancelled. */
  children: ReactNode
}

/** Gives the paid plan up at the end of the period, or takes that back. */
export function PlanChange({ active, duration, children, ...words }: PlanChangeProps) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  // What came of it is told at once: a dialog still open while the plan is read again would hide it.
  const telling = (fallback: string) => ({
    done: (message: string) => {
      close()
      toast(message, { type: 'success', duration })
    },
    failed: (error: unknown) => {
      close()
      toast(messageOf(error, fallback), { type: 'error', duration })
    },
  })
  const cancel = useSubscriptionChange('cancelSubscription', telling(words.cancelFailed))
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
        {active ? words.cancelLabel : 'Reactivate'}
      </Button>
      <Dialog
        open={asking}
        title={words.question}
        onClose={close}
        onConfirm={() => cancel.mutate()}
        confirmLabel={words.confirmLabel}
        closeLabel="Keep Pro"
        busy={cancel.isPending}
        danger
      >
        {children}
      </Dialog>
    </>
  )
}
