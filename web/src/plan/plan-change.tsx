import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Subscription } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { useProfileChange } from '../session/use-profile.ts'
import { Button } from '../ui/action/button.tsx'
import { Dialog } from '../ui/action/dialog.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { messageOf, toast } from '../ui/feedback/toast.ts'
import { day } from '../ui/figures.ts'

/** Translated where they are shown. */
export const DONE = {
  cancelSubscription:
    /*i18n*/ 'Your subscription has been scheduled for cancellation at the end of the current billing period. You will continue to have access to Pro features until then.',
  reactivateSubscription: /*i18n*/ 'Your subscription has been reactivated successfully!',
}

/** Words for canceling the paid plan, on the dashboard and on the page of its details. */
const WORDS = {
  cancel: {
    label: /*i18n*/ 'Cancel Subscription',
    question: /*i18n*/ 'Cancel your subscription?',
    confirm: /*i18n*/ 'Yes, cancel it',
    failed: /*i18n*/ 'Failed to cancel subscription',
  },
  downgrade: {
    label: /*i18n*/ 'Switch to the free plan',
    question: /*i18n*/ 'Downgrade to the free plan?',
    confirm: /*i18n*/ 'Yes, downgrade',
    failed: /*i18n*/ 'Failed to downgrade subscription',
  },
}

interface PlanChangeProps {
  action: keyof typeof WORDS
  status: Subscription['status']
  /** End of the period, ISO 8601. */
  until: string
  /** Milliseconds for which the outcome is shown. */
  duration?: number
}

/** Cancels the paid plan at the end of the period, or undoes the cancellation. */
export function PlanChange({ action, status, until, duration }: PlanChangeProps) {
  const [asking, setAsking] = useState(false)
  const queries = useQueryClient()
  const profile = useProfileChange()
  const { label, question, confirm, failed } = WORDS[action]
  const change = useMutation({
    mutationFn: (key: keyof typeof DONE) => call(key),
    onSuccess: (_, key) => void toast(i18n.t(DONE[key]), { type: 'success', duration }),
    onError: (error, key) => {
      const fallback = key === 'cancelSubscription' ? failed : /*i18n*/ 'Failed to reactivate subscription'
      toast(messageOf(error, i18n.t(fallback)), { type: 'error', duration })
    },
    onSettled: () => {
      // The dialog closes before the plan has reloaded, because it would hide the outcome.
      setAsking(false)
      // Both reload after a failure, too, as another tab may have made the change.
      return Promise.all([profile.reload(), queries.invalidateQueries({ queryKey: ['subscription'] })])
    },
  })
  const active = status === 'active' || status === 'paused'
  return (
    <>
      {/* One button serves both labels, so that it keeps the focus when the state changes. */}
      <Button
        variant={active ? 'secondary' : 'primary'}
        aria-haspopup={active ? 'dialog' : undefined}
        busy={change.isPending && change.variables === 'reactivateSubscription'}
        onClick={() => (active ? setAsking(true) : change.mutate('reactivateSubscription'))}
      >
        {active ? i18n.t(label) : i18n.t('Reactivate')}
      </Button>
      {asking && (
        <Dialog
          title={i18n.t(question)}
          onClose={() => setAsking(false)}
          onConfirm={() => change.mutate('cancelSubscription')}
          confirmLabel={i18n.t(confirm)}
          closeLabel={i18n.t('Keep Pro')}
          busy={change.isPending}
          danger
        >
          {i18n.t(
            'You keep Pro until {date} and won’t be charged again. After that you’re on the free plan.',
            { date: day(until) },
          )}
        </Dialog>
      )}
    </>
  )
}

interface PlanBadgeProps extends Pick<Subscription, 'plan' | 'status'> {
  /** Labels of a paid plan that renews, and of one that is ending. */
  labels: [active: string, canceling: string]
}

export function PlanBadge({ plan, status, labels: [active, canceling] }: PlanBadgeProps) {
  if (plan === 'free') return <Badge>{i18n.t('Free plan')}</Badge>
  if (status === 'paused') return <Badge tone="warn">{i18n.t('Paused|a subscription')}</Badge>
  return status === 'active' ? <Badge tone="good">{active}</Badge> : <Badge tone="warn">{canceling}</Badge>
}
