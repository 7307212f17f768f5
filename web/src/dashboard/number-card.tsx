import { Trans } from '@lingui/react'
import type { PublicConfig, User } from '@voxscribe/contracts/http'
import { quantity } from '@voxscribe/contracts/wording'
import { QRCodeSVG } from 'qrcode.react'
import { useId, useState } from 'react'
import { useConfig, useCountries } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { useNumber } from '../person/phone/phone-number.ts'
import { ButtonLink, TextLink } from '../ui/action/button.tsx'
import { Badge } from '../ui/feedback/badge.tsx'
import { CopyButton } from '../ui/feedback/copy-button.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { Chevron } from '../ui/icon.tsx'
import { Card, TitledCard } from '../ui/layout/card.tsx'
import { Steps } from '../ui/layout/steps.tsx'
import { useWide } from '../ui/layout/use-wide.ts'

interface NumberProps {
  user: User
  config: PublicConfig
}

/** The number, the chat's link and the instructions; folded into one line once a note has arrived. */
export function NumberCard({ user, isFolded }: { user: User; isFolded: boolean }) {
  const config = useConfig()
  if (isFolded && config.data) return <FoldedNumber user={user} config={config.data} />
  return (
    <TitledCard title={title()} badge={user.linked && <Linked />} large>
      {config.isPending && (
        <Skeletons className="mt-5 gap-4" heights={['h-10 w-64 max-w-full', 'h-11 w-44', 'size-44']} />
      )}
      <LoadError of={[config]} fallback={i18n.t('An error occurred')} className="mt-4" />
      {config.data && <NumberAndCode user={user} config={config.data} />}
    </TitledCard>
  )
}

const title = () => i18n.t('The WhatsApp number for your voice notes')
const Linked = () => <Badge tone="good">{i18n.t('Linked to you')}</Badge>

function FoldedNumber({ user, config }: NumberProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <Card aria-label={title()} className="max-sm:p-4">
      <div className="flex flex-wrap items-center gap-x-1 sm:gap-x-4">
        <p className="grow font-semibold text-sm tabular-nums sm:text-xl">
          <WrittenNumber config={config} />
        </p>
        <div className="flex items-center gap-x-1 sm:gap-x-4">
          <ChatLink user={user} config={config} size="small" />
          <button
            type="button"
            aria-label={i18n.t('QR code, steps and formats')}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
            className="-me-2 grid size-11 shrink-0 place-items-center rounded-control text-soft hover:bg-wash"
          >
            <Chevron className={isOpen ? 'rotate-180' : undefined} />
          </button>
        </div>
      </div>
      <div id={id} hidden={!isOpen} className="pt-4">
        {user.linked && <Linked />}
        <NumberAndCode user={user} config={config} isFolded />
      </div>
    </Card>
  )
}

const numberOf = ({ whatsappNumber }: PublicConfig) => `+${whatsappNumber.replace(/\D/g, '')}`

function WrittenNumber({ config }: Pick<NumberProps, 'config'>) {
  const { written } = useNumber(numberOf(config))
  return (
    <span dir="ltr" translate="no" className="marked">
      {written}
    </span>
  )
}

/** Returns the chat's link, which opens with the linking message already typed. */
function useChat({ user, config }: NumberProps): string {
  const country = useCountries().data?.find(({ id }) => id === user.country_code)
  const chat = config.chatUrl.replace('{code}', encodeURIComponent(user.link_code ?? ''))
  // The real WhatsApp knows who is writing.
  const from = config.sandbox && country && user.wtp_number && `${country.phonecode}${user.wtp_number}`
  return from ? `${chat}&${new URLSearchParams({ from })}` : chat
}

const ChatLink = ({ size, ...of }: NumberProps & { size?: 'small' }) => (
  <ButtonLink to={useChat(of)} size={size} target="_blank" rel="noopener noreferrer">
    {i18n.t('Open in WhatsApp')}
    <span className="sr-only"> {i18n.t('(opens in a new tab)')}</span>
  </ButtonLink>
)

function NumberAndCode({ user, config, isFolded = false }: NumberProps & { isFolded?: boolean }) {
  // A phone can't scan its own screen.
  const isWide = useWide('40rem')
  const chat = useChat({ user, config })
  return (
    <>
      <div className="mt-5 grid items-start gap-8 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div>
          {!isFolded && (
            <p className="mb-5 font-display font-semibold text-[clamp(1.25rem,7vw,1.875rem)] tabular-nums tracking-tight sm:text-4xl">
              <WrittenNumber config={config} />
            </p>
          )}
          <div className="flex flex-wrap gap-3">
            {!isFolded && <ChatLink user={user} config={config} />}
            <CopyButton text={numberOf(config)} label={i18n.t('Copy number')} size="normal" />
            {config.telegramUrl && (
              <ButtonLink
                to={`${config.telegramUrl}?start=${user.link_code ?? ''}`}
                variant="secondary"
                target="_blank"
                rel="noopener noreferrer"
              >
                {i18n.t('Open in Telegram')}
                <span className="sr-only"> {i18n.t('(opens in a new tab)')}</span>
              </ButtonLink>
            )}
          </div>
          <Linking user={user} />
        </div>
        {isWide && <QrCode link={chat} />}
      </div>
      <div className="mt-8 border-line border-t pt-6">
        <h3 className="text-lg">{i18n.t('How it works')}</h3>
        <Steps steps={steps(isWide)} className="mt-4 sm:grid-cols-3" />
        <p className="mt-6 text-soft">
          {i18n.t(
            'Maximum file size: {size}. Audio as MP3, WAV, FLAC, M4A, AAC or OGG, ' +
              'video as MP4, MPEG or WEBM.',
            { size: quantity(i18n, config.maxFileBytes / 1024 / 1024, 'megabyte') },
          )}
        </p>
      </div>
    </>
  )
}

/** Dark on white even in dark mode, because cameras need it that way. */
const QrCode = ({ link }: { link: string }) => (
  <figure className="justify-self-start">
    <div className="rounded-card border border-line bg-[#fff] p-2">
      <QRCodeSVG
        value={link}
        size={168}
        marginSize={2}
        bgColor="#ffffff"
        fgColor="#191d33"
        role="img"
        aria-label={i18n.t('QR code that opens the chat in WhatsApp')}
      />
    </div>
    <figcaption className="mt-2 text-center text-soft text-sm">{i18n.t('Scan with your phone')}</figcaption>
  </figure>
)

const LinkCode = ({ code }: { code: string | undefined }) => (
  <strong
    dir="ltr"
    translate="no"
    className="whitespace-nowrap rounded-md bg-sunken px-1.5 py-0.5 font-mono text-ink tracking-wider"
  >
    {code}
  </strong>
)

/** Shows the link code. Until a message with it arrives, anyone who has the phone could claim the number. */
function Linking({ user }: { user: User }) {
  const country = useCountries().data?.find(({ id }) => id === user.country_code)
  const own = useNumber(user.wtp_number, country?.code)
  return (
    <div className="mt-5 text-soft">
      {user.wtp_number && (
        // The number gets its own line, as it grows longer once its rules have loaded.
        <p>
          <Trans
            id="Your own number is <0>{number}</0>."
            components={{
              0: <strong dir="ltr" translate="no" className="whitespace-nowrap text-ink tabular-nums" />,
            }}
            values={{ number: own.written }}
          />
        </p>
      )}
      {!user.linked && (
        <p>
          {user.wtp_number ? (
            <Trans
              id="Start by sending the message that’s already typed there. Its link code <0/> proves that the number is yours."
              components={{ 0: <LinkCode code={user.link_code} /> }}
            />
          ) : (
            <Trans
              id="Your account has no number at the moment. <0>Add your number</0> or send the link code <1/> from your phone."
              components={{
                0: <TextLink to="/update-profile" />,
                1: <LinkCode code={user.link_code} />,
              }}
            />
          )}
        </p>
      )}
    </div>
  )
}

const steps = (hasCode: boolean) => ({
  [i18n.t('Open the chat')]: hasCode
    ? i18n.t('Press the button above, or scan the code with your phone’s camera.')
    : i18n.t('Press the button above.'),
  [i18n.t('Send a voice note')]: i18n.t('Record one, forward one, or attach an audio or video file.'),
  [i18n.t('Read it')]: i18n.t('The text comes back as a reply and is saved in your history.'),
})
