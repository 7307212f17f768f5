import { useSession } from '../session/use-session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Benefits } from './benefits.tsx'
import { Formats } from './formats.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { NoteBecomesText } from './note-becomes-text.tsx'
import { Wave } from './wave.tsx'

interface StartButtonProps {
  visitor: string
  accountHolder: string
  variant?: 'primary' | 'secondary'
}

/** Leads a visitor to an account, and an account holder to theirs. */
function StartButton({ visitor, accountHolder, variant = 'primary' }: StartButtonProps) {
  const signedIn = useSession().status === 'signed-in'
  return (
    <ButtonLink to={signedIn ? '/dashboard' : '/signup'} size="large" variant={variant}>
      {signedIn ? accountHolder : visitor}
    </ButtonLink>
  )
}

export default function LandingScreen() {
  return (
    <>
      <section className="page grid items-center gap-x-14 gap-y-12 pt-10 pb-20 sm:pt-16 lg:grid-cols-[1fr_1.05fr]">
        <div>
          <PageTitle title="Convert WhatsApp Audio to Text" className="text-5xl leading-[1.04] sm:text-6xl">
            Convert WhatsApp Audio to <span className="marked">Text</span>
          </PageTitle>
          <p className="mt-6 max-w-[34rem] text-soft text-xl">
            Forward a voice note to our number. A moment later its words are in your chat, and in a history
            that you can search.
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <StartButton visitor="Get Started" accountHolder="Go to Dashboard" />
            <ButtonLink to="/pricing" variant="secondary" size="large">
              View Pricing
            </ButtonLink>
          </div>
          <p className="mt-5 text-soft">30 minutes free every month. No card needed.</p>
        </div>
        <NoteBecomesText />
      </section>
      <HowItWorks />
      <Benefits />
      <Formats />
      <section className="page pt-24">
        <div className="relative overflow-hidden rounded-card bg-deep px-6 py-14 text-on-deep sm:px-14">
          <Wave className="absolute -right-10 -bottom-8 hidden h-[85%] w-[38%] opacity-20 lg:block" />
          <h2 className="max-w-[22ch] text-4xl sm:text-5xl">Your next voice note could be reading.</h2>
          <p className="mt-4 max-w-prose text-lg">
            Sign up, send it from WhatsApp, and have the text before you would have found your earphones.
          </p>
          <div className="mt-8">
            <StartButton
              visitor="Create your account"
              accountHolder="Open your dashboard"
              variant="secondary"
            />
          </div>
        </div>
      </section>
    </>
  )
}
