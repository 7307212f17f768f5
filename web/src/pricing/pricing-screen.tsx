import { languages } from '@voxscribe/contracts/languages'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useCheckout } from '../plan/leaving.ts'
import { SpeechHere } from '../plan/speech-here.tsx'
import { useSession } from '../session/use-session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Questions } from '../ui/questions.tsx'

const QUESTIONS = {
  'What counts as a minute?':
    'The length of the audio that was transcribed, to the second. A note of 40 seconds takes 40 seconds off your minutes. Notes that fail, or in which nobody speaks, cost nothing.',
  'What happens when my minutes run out?':
    'If a note is longer than the minutes you have left, we don’t transcribe it and tell you so in the chat. You’re not charged. On the free plan your minutes reset every month; with Pro you get 1000 right away.',
  'Do unused minutes carry over?':
    'No. Each month starts with the full amount: 30 minutes on the free plan, 1000 on Pro.',
  'How do I pay?':
    'By card, on our payment provider’s page. We never see or store your card number. The plan renews each month until you cancel.',
  'How do I cancel?':
    'With one button on your dashboard. You keep Pro until the end of the month you’ve paid for, then you move to the free plan. You can change your mind until then.',
  'Can I get my money back?':
    'Yes, within 30 days of the payment. Write to support from the contact page; you don’t need to give a reason.',
}

export default function PricingScreen() {
  return (
    <Page
      open
      title="Pricing"
      heading={
        <>
          Two plans. <span className="marked">One is free.</span>
        </>
      }
      intro="Every account starts on the free plan. Move up when your voice notes do."
    >
      <div className="mt-10 grid gap-6 md:grid-cols-2">
        <PlanCard
          name="Free"
          price="$0"
          minutes="30 minutes per month"
          points={[
            'No card needed',
            <>
              50+ languages, detected automatically
              <SpeechHere all={`${languages.length - 1} languages`} />
            </>,
            'Searchable history',
            'Files of up to 16 MB',
          ]}
        >
          <ButtonLink to="/signup" variant="secondary" size="large" className="w-full">
            Get Started Free
          </ButtonLink>
        </PlanCard>
        <PlanCard
          name="Pro"
          price="$4.99"
          minutes="1000 minutes per month"
          points={[
            'Everything in Free',
            'Cancel anytime',
            '30-day money-back guarantee',
            'Support reply within 24 hours',
          ]}
          preferred
        >
          <SubscribeButton />
        </PlanCard>
      </div>
      <div className="mt-20 grid gap-x-16 gap-y-10 lg:grid-cols-[1.6fr_1fr]">
        <Questions questions={QUESTIONS} />
        <aside className="self-start rounded-card bg-sunken p-7">
          <h2 className="text-2xl">Not sure yet?</h2>
          <p className="mt-2 text-soft">
            Send us the longest voice note you have been putting off. The first thirty minutes of every month
            are free.
          </p>
          <div className="mt-5 flex flex-wrap gap-3">
            <ButtonLink to="/signup">Sign Up</ButtonLink>
            <ButtonLink to="/dashboard" variant="secondary">
              Go to Dashboard
            </ButtonLink>
          </div>
        </aside>
      </div>
    </Page>
  )
}

interface PlanCardProps {
  name: string
  price: string
  minutes: string
  points: ReactNode[]
  preferred?: boolean
  children: ReactNode
}

const PlanCard = ({ name, price, minutes, points, preferred, children }: PlanCardProps) => (
  <Card className={classes('flex flex-col gap-6 p-7 sm:p-9', preferred && 'ring-2 ring-accent')}>
    <div>
      <h2 className="text-2xl">{name}</h2>
      <p className="mt-3">
        <span className="font-bold font-display text-5xl tracking-tight">{price}</span>
        <span className="text-soft"> per month</span>
      </p>
      <p className="mt-2 font-semibold text-lg">{minutes}</p>
    </div>
    <ul className="grid flex-1 content-start gap-2.5">
      {points.map((point, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <li key={index} className="flex gap-3">
          <Icon of="m4 12 5 5L20 7" width={3} className="mt-1 size-4.5 shrink-0 text-accent" />
          <span>{point}</span>
        </li>
      ))}
    </ul>
    {children}
  </Card>
)

/** Starts the checkout; a signed-out visitor signs in first and comes back here. A subscriber has the plan already. */
function SubscribeButton() {
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
