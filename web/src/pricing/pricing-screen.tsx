import { languages } from '@voxscribe/contracts/languages'
import { SpeechHere } from '../plan/speech-here.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Questions } from '../ui/questions.tsx'
import { PlanCard } from './plan-card.tsx'
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
        <Questions title="Frequently asked questions" questions={QUESTIONS} />
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
