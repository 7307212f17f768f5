import { MAX_FILE_MB } from '@voxscribe/contracts/limits'
import { quantity } from '@voxscribe/contracts/wording'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { useSession } from '../session/session.ts'
import { ButtonLink } from '../ui/action/button.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Steps } from '../ui/layout/steps.tsx'

const steps = () => ({
  [i18n.t('Save our number')]: i18n.t(
    'Your dashboard shows it and opens the chat. The first message carries your link code, so we know it’s you.',
  ),
  [i18n.t('Send a voice note')]: i18n.t(
    'Record one, or forward one you have received. Audio and video files of up to {size} work as well.',
    { size: quantity(i18n, MAX_FILE_MB, 'megabyte') },
  ),
  [i18n.t('Read the answer')]: i18n.t(
    'The text comes back in the chat. Your history keeps every transcript, ready to be searched and copied.',
  ),
})

export default function WelcomeScreen() {
  const { user } = useSession()
  const name = user?.first_name || user?.name
  const minutes = useConfig().data?.freeMinutes ?? null
  return (
    <Page
      open
      title={i18n.t('Welcome')}
      heading={name ? i18n.t('Welcome, {name}', { name }) : i18n.t('Welcome')}
      intro={
        minutes === null
          ? i18n.t('Your account is ready. Here is what comes next.')
          : i18n.t(
              '{minutes, plural, one {Your account is ready, with # free minute a month. Here is what comes next.} other {Your account is ready, with # free minutes a month. Here is what comes next.}}',
              { minutes },
            )
      }
      className="max-w-3xl"
    >
      <Steps steps={steps()} className="mt-10" />
      <div className="mt-10 flex flex-wrap gap-3">
        <ButtonLink to="/dashboard">{i18n.t('Go to Dashboard')}</ButtonLink>
        <ButtonLink to="/update-profile" variant="secondary">
          {i18n.t('Choose the language of your notes')}
        </ButtonLink>
      </div>
    </Page>
  )
}
