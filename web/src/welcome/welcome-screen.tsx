import { useSession } from '../session/use-session.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Steps } from '../ui/steps.tsx'

const STEPS = {
  'Save our number':
    'Your dashboard shows it, with a QR code for your phone. The first message carries your link code, so we know it’s you.',
  'Send a voice note':
    'Record one, or forward one you have received. Audio and video files of up to 16 MB work as well.',
  'Read the answer':
    'The text comes back in the chat. Your history keeps every transcript, ready to be searched and copied.',
}

export default function WelcomeScreen() {
  const { user } = useSession()
  const name = user?.first_name || user?.name
  return (
    <Page
      open
      title="Welcome"
      heading={name ? `Welcome, ${name}` : 'Welcome'}
      intro="Your account is ready, with 30 free minutes a month. Here is what comes next."
      className="max-w-3xl"
    >
      <Steps steps={STEPS} className="mt-10" />
      <div className="mt-10 flex flex-wrap gap-3">
        <ButtonLink to="/dashboard">Go to Dashboard</ButtonLink>
        <ButtonLink to="/update-profile" variant="secondary">
          Choose the language of your notes
        </ButtonLink>
      </div>
    </Page>
  )
}
