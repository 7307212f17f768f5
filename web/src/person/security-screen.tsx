import { useSignUp } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { Page } from '../ui/layout/page.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

export default function SecurityScreen() {
  const signUp = useSignUp()
  return (
    <Page title={i18n.t('Security')} intro={i18n.t('Your password, and where you are signed in.')}>
      <div className="mt-8 grid gap-6">
        <PasswordCard />
        <SessionsCard />
        {signUp === 'invited' && <InvitationsCard />}
      </div>
    </Page>
  )
}
