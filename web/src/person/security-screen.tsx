import { useSignInMethods, useSignUp } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { Page } from '../ui/layout/page.tsx'
import { AudioCard, DeleteAccountCard, ExportCard } from './data-cards.tsx'
import { usePasskeys } from './passkeys.ts'
import { PasskeysCard } from './passkeys-card.tsx'
import { InvitationsCard, PasswordCard, SessionsCard } from './sign-in-cards.tsx'

export default function SecurityScreen() {
  const signUp = useSignUp()
  const { isOffered } = usePasskeys()
  const { passwords } = useSignInMethods()
  return (
    <Page
      title={i18n.t('Security and data')}
      intro={i18n.t('How and where you sign in, and what we keep for you.')}
    >
      <div className="mt-8 grid gap-6">
        {passwords && <PasswordCard />}
        {isOffered && <PasskeysCard />}
        <SessionsCard />
        {signUp === 'invited' && <InvitationsCard />}
        <AudioCard />
        <ExportCard />
        {/* The key resets its form, which would keep an empty password requested before the settings were known. */}
        <DeleteAccountCard key={String(passwords)} />
      </div>
    </Page>
  )
}
