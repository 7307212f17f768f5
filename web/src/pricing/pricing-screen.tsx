import { languages } from '@voxscribe/contracts/languages'
import type { ReactNode } from 'react'
import { SpeechHere } from '../plan/speech-here.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Questions } from '../ui/questions.tsx'
import { QUESTIONS } from './questions.ts'
import { SubscribeButton } from './subscribe-button.tsx'

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
  /** The button. */
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
