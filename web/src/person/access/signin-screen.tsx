import { Trans } from '@lingui/react'
import { useMutation } from '@tanstack/react-query'
import type { DataFor } from '@voxscribe/contracts/calls'
import { LoginBody } from '@voxscribe/contracts/http'
import { useEffect, useRef } from 'react'
import { useOpenToAll, useSignInMethods } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { useSession } from '../../session/session.ts'
import { Button, TextLink } from '../../ui/action/button.tsx'
import { messageOf } from '../../ui/feedback/toast.ts'
import { EmailField, PasswordField } from '../../ui/form/field.tsx'
import { Form, FormMessage, SubmitButton, useCallForm } from '../../ui/form/form.tsx'
import { FileWaiting } from '../../upload/shared-list.tsx'
import { passkeys, usePasskeys } from '../passkeys.ts'
import { AccountPage, sessionIn } from './account-page.tsx'
import { ProviderButton } from './provider-screens.tsx'

/** The guard decides which page comes next, because it knows which one was requested. */
export default function SigninScreen() {
  const openToAll = useOpenToAll()
  const { signIn, end } = useSession()
  const { canUse } = usePasskeys()
  const { passwords, provider } = useSignInMethods()
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
            <PasswordField {...attempt.field('password')} />
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

/** Fraction of a challenge's lifetime after which the autofill gets a new one. */
const STALE_AFTER = 0.8

/** Signs in with a passkey: through the autofill of the email field while the page is open, or with a button. */
function PasskeySignIn({ onSignedIn }: { onSignedIn(session: DataFor<'login'>): void }) {
  const offer = useRef<() => void>(null)
  const isAsked = useRef(false)
  const attempt = useMutation({
    mutationFn: async (chosen?: object) => {
      isAsked.current = true
      const response = chosen ?? (await (await passkeys()).use((await askOptions()).options))
      return sessionIn(
        await call('passkeySignIn', { body: { response: response as never } }),
        i18n.t('Login failed'),
      )
    },
    onSuccess: onSignedIn,
    onError: () => {
      isAsked.current = false
      // The button aborted the autofill's own request.
      offer.current?.()
    },
  })
  const { mutate } = attempt
  useEffect(() => {
    let isOpen = true
    let stale: ReturnType<typeof setTimeout> | undefined
    async function offerAutofill() {
      clearTimeout(stale)
      const { canAutofill, use } = await passkeys()
      if (!(await canAutofill())) return
      const { options } = await askOptions()
      // The browser handles one request at a time, and the button's has priority.
      if (!isOpen || isAsked.current) return
      stale = setTimeout(offer.current!, Number(options.timeout) * STALE_AFTER)
      mutate(await use(options, true))
    }
    // A request without a choice was replaced, or the person has left.
    offer.current = () => void offerAutofill().catch(() => {})
    offer.current()
    return () => {
      isOpen = false
      clearTimeout(stale)
      void passkeys().then(({ stop }) => stop())
    }
  }, [mutate])
  return (
    <div className="mt-8 grid gap-5 border-line border-t pt-6">
      {attempt.error && (
        <FormMessage of={attempt.error}>
          {messageOf(
            attempt.error,
            i18n.t('You weren’t signed in by a passkey. Try again, or sign in another way.'),
          )}
        </FormMessage>
      )}
      <Button
        variant="secondary"
        className="w-full"
        busy={attempt.isPending}
        onClick={() => mutate(undefined)}
      >
        {i18n.t('Sign in with a passkey')}
      </Button>
    </div>
  )
}

const askOptions = async () => (await call('passkeySignInOptions')).data
