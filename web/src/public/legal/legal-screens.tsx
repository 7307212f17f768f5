import { Trans } from '@lingui/react'
import type { PublicConfig } from '@voxscribe/contracts/http'
import {
  CHAT_ANSWER_DAYS,
  HOOK_DELIVERY_DAYS,
  MESSAGE_RECORD_DAYS,
  WAITING_ANSWER_DAYS,
} from '@voxscribe/contracts/limits'
import { REFUND_DAYS } from '@voxscribe/contracts/plans'
import { type ReactNode, useEffect } from 'react'
import { useConfig } from '../../api/config.ts'
import { i18n } from '../../language/i18n.ts'
import { engineLabel, isElsewhere } from '../../language/names.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { LoadError, Skeletons } from '../../ui/feedback/loading.tsx'
import { money } from '../../ui/figures.ts'
import { Page } from '../../ui/layout/page.tsx'

interface LegalPageProps {
  page: keyof PublicConfig['legal']
  title: string
  intro: string
  /** Headings, each with its paragraphs. They describe what the code does: change both together. */
  sections(config: PublicConfig): [heading: string, ...paragraphs: ReactNode[]][]
}

/** One of the legal texts. If the operator has their own, the browser goes there instead. */
function LegalPage({ page, title, intro, sections }: LegalPageProps) {
  const config = useConfig()
  const elsewhere = config.data?.legal[page]
  useEffect(() => {
    if (elsewhere) window.location.replace(elsewhere)
  }, [elsewhere])
  const isShown = config.data && !elsewhere
  return (
    <Page open title={title} intro={isShown && intro} className="max-w-3xl">
      <LoadError of={[config]} fallback={i18n.t('Failed to load this page')} />
      {!isShown && !config.isError && <Skeletons className="mt-8 gap-6" heights={['h-24', 'h-24', 'h-24']} />}
      {isShown &&
        sections(config.data).map(([heading, ...paragraphs]) => (
          <section key={heading} className="mt-10">
            <h2 className="text-2xl">{heading}</h2>
            {paragraphs.filter(Boolean).map((paragraph, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change
              <p key={index} className="mt-3 text-lg leading-relaxed">
                {paragraph}
              </p>
            ))}
          </section>
        ))}
    </Page>
  )
}

/** A sentence with the support address in `<0>{email}</0>`. */
const WithAddress = ({ id, email }: { id: string; email: string }) => (
  <Trans id={id} values={{ email }} components={{ 0: <TextLink to={`mailto:${email}`} translate="no" /> }} />
)

export function PrivacyScreen() {
  return (
    <LegalPage
      page="privacy"
      title={i18n.t('Privacy Policy')}
      intro={i18n.t('What happens to your data here, and who else gets some of it.')}
      sections={({
        retentionDays: days,
        deadLetterDays,
        plans,
        speech,
        telegramUrl,
        textModel,
        supportEmail,
      }) => [
        [
          i18n.t('What we keep'),
          i18n.t(
            'Your name, email address, WhatsApp number, country and languages; your password if you have one, only as a hash; the browsers in which you are signed in; your notes with their audio and text; your minutes and payments. All of this is stored on the servers that run this service.',
          ),
        ],
        [
          i18n.t('For how long'),
          i18n.t(
            '{days, plural, one {Audio is deleted after # day, or sooner if you choose so. Texts stay in your history until you delete the note, which deletes its audio, too.} other {Audio is deleted after # days, or sooner if you choose so. Texts stay in your history until you delete the note, which deletes its audio, too.}}',
            { days },
          ),
          [
            i18n.t(
              '{days, plural, one {Answers that we send to the chat are kept for # day.} other {Answers that we send to the chat are kept for # days.}}',
              { days: CHAT_ANSWER_DAYS },
            ),
            i18n.t(
              '{days, plural, one {Answers that wait for your next message are kept for up to # day.} other {Answers that wait for your next message are kept for up to # days.}}',
              { days: WAITING_ANSWER_DAYS },
            ),
            i18n.t(
              '{days, plural, one {Records of messages, without their words, are kept for up to # day.} other {Records of messages, without their words, are kept for up to # days.}}',
              { days: MESSAGE_RECORD_DAYS },
            ),
            i18n.t(
              '{days, plural, one {A message that couldn’t be processed is kept for up to # day.} other {A message that couldn’t be processed is kept for up to # days.}}',
              { days: deadLetterDays },
            ),
            i18n.t(
              '{days, plural, one {What was sent to your hooks is kept for # day.} other {What was sent to your hooks is kept for # days.}}',
              { days: HOOK_DELIVERY_DAYS },
            ),
          ].join(' '),
        ],
        [
          i18n.t('Who else gets your data'),
          speech.engines.some(isElsewhere)
            ? speech.engines
                .filter(isElsewhere)
                .map(engine =>
                  i18n.t('{engine} recognizes the speech in your notes and gets their audio for that.', {
                    engine: engineLabel(engine),
                  }),
                )
                .join(' ')
            : i18n.t('Speech is recognized on our own servers. No other company gets your audio for that.'),
          plans
            ? i18n.t(
                'WhatsApp, which belongs to Meta, carries the messages between you and us; with some of our numbers Twilio does so, too. If you buy the paid plan, Stripe gets your name and email address, and only Stripe sees your card. Emails go out through a mail server.',
              )
            : i18n.t(
                'WhatsApp, which belongs to Meta, carries the messages between you and us; with some of our numbers Twilio does so, too. Emails go out through a mail server.',
              ),
          telegramUrl && i18n.t('If you write to us in Telegram, Telegram carries those messages.'),
          textModel &&
            i18n.t(
              'Summaries and translations are made by a text model, whose provider gets the text of the note, and what you write in the chat if we don’t understand it.',
            ),
          i18n.t(
            'A program with an API key of yours can do what the key allows, until you revoke it. A hook sends your notes to its address. Whoever has a link that you made for a note can read the note until the link ends.',
          ),
          i18n.t('We do not sell your data, show advertising, or train models with your notes.'),
        ],
        [
          i18n.t('Logs and network addresses'),
          i18n.t(
            'Our logs hold ids and errors, never your words, phone number or email address. Your network address serves to limit attempts; it is stored only with your API keys, as the place of their last use.',
          ),
        ],
        [
          i18n.t('Your choices'),
          <Trans
            key="data"
            id={
              plans
                ? /*i18n*/ 'On the page <0>Security and data</0> you can download everything that we keep about you, choose how long audio is kept, and delete your account. With the account, all of this is gone within an hour; only invoices stay with Stripe.'
                : /*i18n*/ 'On the page <0>Security and data</0> you can download everything that we keep about you, choose how long audio is kept, and delete your account. With the account, all of this is gone within an hour.'
            }
            components={{ 0: <TextLink to="/security" /> }}
          />,
          <WithAddress
            key="support"
            id={/*i18n*/ 'For anything else, write to <0>{email}</0>.'}
            email={supportEmail}
          />,
        ],
      ]}
    />
  )
}

export function TermsScreen() {
  return (
    <LegalPage
      page="terms"
      title={i18n.t('Terms of Service')}
      intro={i18n.t('What you can expect of us, and what we expect of you.')}
      sections={({ freeMinutes, plans, paidMinutes, price, currency, retentionDays: days, supportEmail }) => [
        [
          i18n.t('The service'),
          i18n.t('Voxscribe turns WhatsApp voice messages and other recordings into text.'),
          <WithAddress
            key="operator"
            id={/*i18n*/ 'It is run by the people whom you reach at <0>{email}</0>.'}
            email={supportEmail}
          />,
        ],
        [
          plans ? i18n.t('Plans and payment') : i18n.t('Your account'),
          [
            freeMinutes !== null &&
              i18n.t(
                '{minutes, plural, one {The free plan has # minute a month.} other {The free plan has # minutes a month.}}',
                { minutes: freeMinutes },
              ),
            plans &&
              i18n.t(
                '{minutes, plural, one {The paid plan has # minute a month for {price}.} other {The paid plan has # minutes a month for {price}.}}',
                { minutes: paidMinutes, price: money(price, currency) },
              ),
            plans &&
              i18n.t(
                'The paid plan renews each month until you cancel it, and then lasts until the end of the month you have paid for.',
              ),
            plans &&
              i18n.t(
                '{days, plural, one {Within # day of a payment we refund it if you ask us to.} other {Within # days of a payment we refund it if you ask us to.}}',
                { days: REFUND_DAYS },
              ),
          ]
            .filter(Boolean)
            .join(' '),
          plans
            ? i18n.t('You can delete your account at any time, which also ends the paid plan.')
            : i18n.t('You can delete your account at any time.'),
        ],
        [
          i18n.t('What you send'),
          i18n.t(
            'Your recordings and texts stay yours. Send only what you are allowed to share, and nothing that breaks the law or harms other people or the service. We may block accounts that do.',
          ),
        ],
        [
          i18n.t('Texts made by machines'),
          i18n.t(
            'Machines write the texts, and they make mistakes, also in names and numbers. We give no warranty that a text is right: listen to the recording before you rely on it.',
          ),
        ],
        [
          i18n.t('No guarantee'),
          i18n.t(
            '{days, plural, one {We take care of the service but cannot promise that it always works. Audio is deleted after # day: keep your own copy of recordings that matter.} other {We take care of the service but cannot promise that it always works. Audio is deleted after # days: keep your own copy of recordings that matter.}}',
            { days },
          ),
        ],
      ]}
    />
  )
}

export function CookiesScreen() {
  return (
    <LegalPage
      page="cookies"
      title={i18n.t('Cookie Policy')}
      intro={i18n.t('Only what the service needs is stored in your browser.')}
      sections={() => [
        [
          i18n.t('Few cookies'),
          i18n.t(
            'When you sign in or sign up, we set one cookie for your account. It lasts a year, scripts cannot read it, and it only tells your browser from others when somebody tries to get into your account.',
          ),
          i18n.t(
            'When you record a note without an account, another cookie counts how many that were in a day. It knows nothing else, and ends after that day.',
          ),
          i18n.t(
            'While you connect a program, cookies tie its request to your browser. They end within minutes, or with the browser.',
          ),
        ],
        [
          i18n.t('Storage in your browser'),
          i18n.t(
            'The browser also keeps your session, and what you read last for times without a network; signing out removes both. It remembers your language, the light or dark look, and how you read texts.',
          ),
        ],
        [
          i18n.t('No tracking'),
          i18n.t(
            'There is no tracking, no advertising and nothing from other sites. Payments are made on a page of Stripe’s, which has cookies of its own.',
          ),
        ],
      ]}
    />
  )
}
