import { i18n } from '../language/i18n.ts'
import { Page } from '../ui/layout/page.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

export default function SecurityScreen() {
  return (
    <Page title={i18n.t('Security')} intro={i18n.t('Your password, and where you are signed in.')}>
      <div className="mt-8 grid gap-6">
        <PasswordCard />
        <SessionsCard />
      </div>
    </Page>
  )
}
