import { i18n } from '../../language/i18n.ts'
import { LegalPage } from './legal-page.tsx'

export default function CookiesScreen() {
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
