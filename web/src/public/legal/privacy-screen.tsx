import { Trans } from '@lingui/react'
import {
  CHAT_ANSWER_DAYS,
  HOOK_DELIVERY_DAYS,
  MESSAGE_RECORD_DAYS,
  WAITING_ANSWER_DAYS,
} from '@voxscribe/contracts/limits'
import { engineLabel, isElsewhere } from '../../language/engines.ts'
import { i18n } from '../../language/i18n.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { LegalPage, WithAddress } from './legal-page.tsx'

export default function PrivacyScreen() {
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
