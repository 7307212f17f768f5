import type { Subscription } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { messageOf } from '../../api/errors.ts'
import { useSubscriptionChange } from '../../api/subscription-change.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { day, figure } from '../../ui/figures.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'

/** Toasts of the dashboard vanish after 3 seconds. */
const duration = 3000
/** What came of it is told at once: a dialog still open while the plan is read again would hide it. */
const telling = (fallback: string, close?: () => void) => ({
  done: (message: string) => {
    close?.()
    toast(message, { type: 'success', duration })
  },
  failed: (error: unknown) => {
    close?.()
    toast(messageOf(error, fallback), { type: 'error', duration })
  },
})

export function SubscriptionCard({ subscription }: { subscription: Subscription | undefined }) {
  return (
    <Card aria-labelledby="subscription-heading">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="subscription-heading" className="text-lg">
          Subscription
        </h2>
        {subscription && <PlanBadge {...subscription} />}
      </div>
      {!subscription && <Skeleton className="mt-4 h-24" />}
      {subscription &&
        (subscription.plan === 'free' ? <FreePlan {...subscription} /> : <PaidPlan {...subscription} />)}
    </Card>
  )
}

function PlanBadge({ plan, status }: Subscription) {
  if (plan === 'free') return <Badge>Free Plan</Badge>
  return status === 'active' ? (
    <Badge tone="good">Pro Plan Active</Badge>
  ) : (
    <Badge tone="warn">Pro Plan - Canceling</Badge>
  )
}

const FreePlan = ({ subscription_minutes }: Subscription) => (
  <>
    <p className="mt-2 text-soft">{figure(subscription_minutes)} minutes a month, no card needed.</p>
    <ButtonLink to="/pricing" className="mt-4 w-full">
      Upgrade to Pro
    </ButtonLink>
  </>
)

function PaidPlan({ status, subscription_minutes, current_period_end }: Subscription) {
  const [asking, setAsking] = useState(false)
  const close = () => setAsking(false)
  const cancel = useSubscriptionChange('cancelSubscription', telling('Failed to cancel subscription', close))
  const reactivate = useSubscriptionChange(
    'reactivateSubscription',
    telling('Failed to reactivate subscription'),
  )
  const active = status === 'active'
  return (
    <>
      <p className="mt-2 text-soft">
        {figure(subscription_minutes)} minutes a month. {active ? 'Renews on ' : 'Pro features until '}
        <time dateTime={current_period_end}>{day(current_period_end)}</time>.
      </p>
      <div className="mt-4 grid gap-3">
        {/* One button whatever it says, so that the focus stays on it when the state changes. */}
        <Button
          variant={active ? 'secondary' : 'primary'}
          busy={reactivate.isPending}
          onClick={() => (active ? setAsking(true) : reactivate.mutate())}
        >
          {active ? 'Cancel Subscription' : 'Reactivate'}
        </Button>
        <Link to="/subscription-details" className="link justify-self-start">
          Subscription details
        </Link>
      </div>
      <Dialog
        open={asking}
        title="Cancel your subscription?"
        onClose={close}
        onConfirm={() => cancel.mutate()}
        confirmLabel="Yes, cancel it"
        closeLabel="Keep Pro"
        busy={cancel.isPending}
        danger
      >
        You keep Pro until {day(current_period_end)} and are not charged again. After that you are on the free
        plan.
      </Dialog>
    </>
  )
}
