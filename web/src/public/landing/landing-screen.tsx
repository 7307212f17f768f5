import { Trans } from '@lingui/react'
import { AUDIO_FORMATS, VIDEO_FORMATS } from '@voxscribe/contracts/business'
import { MAX_FILE_MB } from '@voxscribe/contracts/limits'
import { PLANS } from '@voxscribe/contracts/plans'
import { quantity } from '@voxscribe/contracts/wording'
import { useInstallation, useOpenToAll } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { useSession } from '../../session/session.ts'
import { ButtonLink, TextLink } from '../../ui/action/button.tsx'
import { classes } from '../../ui/classes.ts'
import { PageTitle } from '../../ui/layout/page.tsx'
import { Benefits } from './benefits.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { NoteBecomesText } from './note-becomes-text.tsx'
import { TryIt } from './try-it.tsx'
import { Wave } from './wave.tsx'

interface StartButtonProps {
  visitor: string
  accountHolder: string
  variant?: 'secondary'
}

function StartButton({ visitor, accountHolder, variant }: StartButtonProps) {
  const signedIn = useSession().status === 'signed-in'
  const openToAll = useOpenToAll()
  const [to, label] = signedIn
    ? ['/dashboard', accountHolder]
    : openToAll
      ? ['/signup', visitor]
      : ['/signin', i18n.t('Sign In')]
  return (
    <ButtonLink to={to} size="large" variant={variant}>
      {label}
    </ButtonLink>
  )
}

export default function LandingScreen() {
  const here = useInstallation()
  const telegramUrl = here?.telegramUrl
  const openToAll = useOpenToAll()
  const minutes = here ? here.freeMinutes : PLANS.free.minutes
  return (
    <>
      <section className="page grid items-center gap-x-14 gap-y-12 pt-10 pb-20 sm:pt-16 lg:grid-cols-[1fr_1.05fr]">
        <div>
          <PageTitle
            title={i18n.t('Convert WhatsApp Audio to Text')}
            className="text-5xl leading-[1.04] sm:text-6xl"
          >
            <Trans
              id="Convert WhatsApp Audio to <0>Text</0>"
              components={{ 0: <span className="marked" /> }}
            />
          </PageTitle>
          <p className="mt-6 max-w-[34rem] text-soft text-xl">
            {i18n.t(
              'Forward a voice note to our number. A moment later its words are in your chat, ' +
                'and in a history that you can search.',
            )}
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <StartButton visitor={i18n.t('Get Started')} accountHolder={i18n.t('Go to Dashboard')} />
            {here?.plans !== false && (
              <ButtonLink to="/pricing" variant="secondary" size="large">
                {i18n.t('View Pricing')}
              </ButtonLink>
            )}
          </div>
          <div className="mt-5">
            <TryIt />
          </div>
          <p className="mt-5 text-soft">
            {/* The space of both is reserved, so that nothing below moves when they appear. */}
            <span className={classes(!here && 'invisible')}>
              {minutes !== null &&
                i18n.t(
                  '{minutes, plural, one {# minute free every month. No card needed.} other {# minutes free every month. No card needed.}}',
                  { minutes },
                )}
            </span>{' '}
            <span className={classes(!telegramUrl && 'invisible')}>
              <Trans
                id="It works in <0>Telegram</0>, too."
                components={{ 0: <TextLink to={telegramUrl ?? ''} /> }}
              />
            </span>
          </p>
        </div>
        <NoteBecomesText />
      </section>
      <HowItWorks />
      <Benefits here={here} />
      <Formats />
      <section className="page pt-24">
        <div className="relative overflow-hidden rounded-card bg-deep px-6 py-14 text-on-deep sm:px-14">
          <Wave className="absolute -end-10 -bottom-8 hidden h-[85%] w-[38%] opacity-20 lg:block" />
          <h2 className="max-w-[22ch] text-4xl sm:text-5xl">
            {i18n.t('Your next voice note could be reading.')}
          </h2>
          <p className="mt-4 max-w-prose text-lg">
            {openToAll
              ? i18n.t(
                  'Sign up, send it from WhatsApp, and have the text before you would have found your earphones.',
                )
              : i18n.t(
                  'Send it from WhatsApp, and have the text before you would have found your earphones.',
                )}
          </p>
          <div className="mt-8">
            <StartButton
              visitor={i18n.t('Create your account')}
              accountHolder={i18n.t('Open your dashboard')}
              variant="secondary"
            />
          </div>
        </div>
      </section>
    </>
  )
}

const KINDS = [
  { name: /*i18n*/ 'Audio', formats: AUDIO_FORMATS },
  { name: /*i18n*/ 'Video', formats: VIDEO_FORMATS },
]

const Formats = () => (
  <section className="page grid gap-x-14 gap-y-6 pt-24 md:grid-cols-[1fr_1.4fr]">
    <div>
      <h2 className="text-3xl sm:text-4xl">{i18n.t('Supported types')}</h2>
      <p className="mt-3 max-w-prose text-soft">
        {i18n.t(
          'Voice notes as WhatsApp records them, and files from anywhere else: interviews, lectures, ' +
            'the answering machine. Up to {size} each.',
          { size: quantity(i18n, MAX_FILE_MB, 'megabyte') },
        )}
      </p>
    </div>
    <div className="grid content-start gap-6">
      {KINDS.map(({ name, formats }) => (
        <div key={name} className="grid gap-3 border-line border-t pt-4 sm:grid-cols-[6rem_1fr]">
          <h3 className="font-sans font-semibold text-base tracking-normal">{i18n.t(name)}</h3>
          <ul className="flex flex-wrap gap-2">
            {formats.map(format => (
              <li key={format} className="rounded-md border border-line bg-surface px-3 py-1 font-medium">
                {format.toUpperCase()}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  </section>
)
