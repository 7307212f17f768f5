import { useSession } from '../../session/use-session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Benefits } from './benefits.tsx'
import { Formats } from './formats.tsx'
import { FoundAgain } from './found-again.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { NoteBecomesText } from './note-becomes-text.tsx'

const StartButton = () => {
  const signedIn = useSession().status === 'signed-in'
  return (
    <ButtonLink to={signedIn ? '/dashboard' : '/signup'} size="large">
      {signedIn ? 'Go to Dashboard' : 'Get Started'}
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
            <StartButton />
            <ButtonLink to="/pricing" variant="secondary" size="large">
              View Pricing
            </ButtonLink>
          </div>
          <p className="mt-5 text-soft">30 minutes free every month. No card needed.</p>
        </div>
        <NoteBecomesText />
      </section>
      <HowItWorks />
      <FoundAgain />
      <Benefits />
      <Formats />
      <section className="page pt-24">
        <div className="rounded-card bg-deep px-6 py-14 text-on-deep sm:px-14">
          <h2 className="max-w-[22ch] text-4xl sm:text-5xl">Your next voice note could be reading.</h2>
          <p className="mt-4 max-w-prose text-lg">
            Sign up, send it from WhatsApp, and have the text before you would have found your earphones.
          </p>
          <div className="mt-8">
            <ClosingButton />
          </div>
        </div>
      </section>
    </>
  )
}

const ClosingButton = () => {
  const signedIn = useSession().status === 'signed-in'
  return (
    <ButtonLink
      to={signedIn ? '/dashboard' : '/signup'}
      variant="secondary"
      size="large"
      className="border-transparent"
    >
      {signedIn ? 'Open your dashboard' : 'Create your account'}
    </ButtonLink>
  )
}
