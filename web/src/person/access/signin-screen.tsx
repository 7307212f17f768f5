import { Trans } from '@lingui/react'
import { LoginBody } from '@voxscribe/contracts/http'
import { useOpenToAll, useWaysIn } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { useSession } from '../../session/use-session.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { EmailField, PasswordField } from '../../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../../ui/form/form.tsx'
import { FileWaiting } from '../../upload/shared-list.tsx'
import { usePasskeys } from '../passkeys.ts'
import { AccountPage, sessionIn } from './account-page.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { ProviderButton } from './provider-button.tsx'

/** The guard decides which page follows: it knows which one was asked for. */
export default function SigninScreen() {
  const openToAll = useOpenToAll()
  const { signIn, end } = useSession()
  const { canUse } = usePasskeys()
  const { passwords, provider } = useWaysIn()
  const attempt = useCallForm({
    schema: LoginBody,
    send: async body => sessionIn(await call('login', { body }), i18n.t('Login failed')),
    onSuccess: signIn,
  })
  return (
    <AccountPage
      title={i18n.t('Sign In')}
      intro={
        end === 'expired'
          ? i18n.t('You’ve been signed out. Sign in to go on where you were.')
          : i18n.t('Welcome back. Your transcripts are where you left them.')
      }
      below={
        openToAll && (
          <Trans id="No account yet? <0>Sign up</0>" components={{ 0: <TextLink to="/signup" /> }} />
        )
      }
    >
      <FileWaiting />
      {provider && <ProviderButton name={provider} apart={passwords} />}
      {passwords && (
        <>
          <Form of={attempt} fallback={i18n.t('An error occurred during sign in')}>
            <EmailField autoComplete="username webauthn" {...attempt.field('email')} />
            <PasswordField
              label={i18n.t('Password')}
              autoComplete="current-password"
              {...attempt.field('password')}
            />
            <SubmitButton className="w-full" busyLabel={i18n.t('Signing in…')}>
              {i18n.t('Sign In')}
            </SubmitButton>
          </Form>
          <p className="mt-5">
            <TextLink to="/forgot-password" state={{ email: attempt.form.watch('email') }}>
              {i18n.t('Forgot password?')}
            </TextLink>
          </p>
        </>
      )}
      {canUse && <PasskeySignIn onSignedIn={signIn} />}
    </AccountPage>
  )
}
