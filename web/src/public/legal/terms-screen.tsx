import { REFUND_DAYS } from '@voxscribe/contracts/plans'
import { i18n } from '../../language/i18n.ts'
import { money } from '../../ui/figures.ts'
import { LegalPage, WithAddress } from './legal-page.tsx'

export default function TermsScreen() {
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
