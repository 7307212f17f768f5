import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { messageOf } from '../ui/error-message.ts'
import { toast } from '../ui/toast.ts'
import { useSubscriptionChange } from './subscription-change.ts'

interface PlanChangeProps {
  /** Otherwise it ends with its period. */
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

/** Cancels the paid plan at the end of the period, or undoes that. */
export function PlanChange({ active, duration, children, ...words }: PlanChangeProps) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  // The outcome is shown at once: a dialog still open while the plan is fetched again would hide it.
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
      {/* The same button for both labels, so that it keeps the focus when the state changes. */}
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
