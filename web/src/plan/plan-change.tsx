import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../session/client.ts'
import { useProfileChange } from '../session/use-profile.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { messageOf } from '../ui/error-message.ts'
import { toast } from '../ui/toast.ts'

export const DONE = {
  cancelSubscription:
    'Your subscription has been scheduled for cancellation at the end of the current billing period. ' +
    'You will continue to have access to Pro features until then.',
  reactivateSubscription: 'Your subscription has been reactivated successfully!',
}

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
  const queries = useQueryClient()
  const profile = useProfileChange()
  const change = useMutation({
    mutationFn: (key: keyof typeof DONE) => call(key),
    // The outcome is shown at once: a dialog still open while the plan is fetched again would hide it.
    onSuccess: (_, key) => {
      setAsking(false)
      toast(DONE[key], { type: 'success', duration })
    },
    onError: (error, key) => {
      setAsking(false)
      const fallback = key === 'cancelSubscription' ? words.cancelFailed : 'Failed to reactivate subscription'
      toast(messageOf(error, fallback), { type: 'error', duration })
    },
    // Also after a failure: another tab may have been first.
    onSettled: () =>
      Promise.all([profile.reload(), queries.invalidateQueries({ queryKey: ['subscription'] })]),
  })
  return (
    <>
      {/* The same button for both labels, so that it keeps the focus when the state changes. */}
      <Button
        variant={active ? 'secondary' : 'primary'}
        busy={change.isPending && change.variables === 'reactivateSubscription'}
        onClick={() => (active ? setAsking(true) : change.mutate('reactivateSubscription'))}
      >
        {active ? words.cancelLabel : 'Reactivate'}
      </Button>
      <Dialog
        open={asking}
        title={words.question}
        onClose={() => setAsking(false)}
        onConfirm={() => change.mutate('cancelSubscription')}
        confirmLabel={words.confirmLabel}
        closeLabel="Keep Pro"
        busy={change.isPending}
        danger
      >
        {children}
      </Dialog>
    </>
  )
}
