import { ForgotPasswordBody, ResetPasswordBody } from '@voxscribe/contracts/http'
import { RESET_PASSWORD_MIN } from '@voxscribe/contracts/limits'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { ApiError } from '../../api/errors.ts'
import { useSignInMethods } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { useSession } from '../../session/session.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { useTimer } from '../../ui/action/use-timer.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { EmailField } from '../../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../../ui/form/form.tsx'
import { enteredTwice, NewPasswordFields } from '../new-password.tsx'
import { AccountDone, AccountPage, SignedInHere, useMailedToken } from './account-page.tsx'

export function ForgotPasswordScreen() {
  const { passwords } = useSignInMethods()
  const request = useCallForm({
    schema: ForgotPasswordBody,
    defaultValues: { email: String(Object(useLocation().state).email ?? '') },
    send: body => call('forgotPassword', { body }),
  })
  if (!passwords) return <Navigate to="/signin" replace />
  if (request.call.isSuccess) return <Sent {...request.call.variables} />
  return (
    <AccountPage
      title={i18n.t('Forgot password')}
      intro={i18n.t('Enter your email address and we’ll send you a link to choose a new password.')}
      below={<TextLink to="/signin">{i18n.t('Back to sign in')}</TextLink>}
    >
      <Form of={request} fallback={i18n.t('An error occurred')}>
        <EmailField {...request.field('email')} />
        <SubmitButton className="w-full" busyLabel={i18n.t('Sending…')}>
          {i18n.t('Send reset link')}
        </SubmitButton>
      </Form>
    </AccountPage>
  )
}

const Sent = ({ email }: { email: string }) => (
  <AccountDone title={i18n.t('Password Reset Email Sent')} link={i18n.t('Back to sign in')}>
    <p>
      {i18n.t(
        'If an account exists for {email}, you will receive an email with instructions on how to reset your password.',
        { email },
      )}
    </p>
    <p className="text-base text-soft">
      {i18n.t('The link works once, within one hour. Nothing there? Check your spam folder.')}
    </p>
  </AccountDone>
)

const MOVES_ON_AFTER = 3_000

const ResetValues = ResetPasswordBody.pick({ newPassword: true })
  .extend({ confirm: z.string() })
  .refine(...enteredTwice('newPassword'))

export function ResetPasswordScreen() {
  const { passwords } = useSignInMethods()
  const { token, endSession } = useMailedToken()
  const reset = useCallForm({
    schema: ResetValues,
    defaultValues: { newPassword: '', confirm: '' },
    send: async ({ newPassword }) => {
      if (!token) throw new ApiError(i18n.t(REFUSALS.reset_token_too_long.text), 0)
      await call('resetPassword', { body: { token, newPassword } })
      await endSession()
    },
  })
  if (!passwords) return <Navigate to="/signin" replace />
  if (reset.call.isSuccess) return <ResetDone />
  return (
    <AccountPage
      title={i18n.t('Reset password')}
      intro={i18n.t('Choose a new password for your account.')}
      below={<TextLink to="/forgot-password">{i18n.t('Request a new link')}</TextLink>}
    >
      <Form of={reset} fallback={i18n.t('An error occurred')}>
        {!token && !reset.call.error && <Banner>{i18n.t(REFUSALS.reset_token_missing.text)}</Banner>}
        <SignedInHere />
        <NewPasswordFields min={RESET_PASSWORD_MIN} field={reset.field} />
        <SubmitButton className="w-full" busyLabel={i18n.t('Saving…')}>
          {i18n.t('Reset password')}
        </SubmitButton>
      </Form>
    </AccountPage>
  )
}

function ResetDone() {
  const navigate = useNavigate()
  const isSignedOut = useSession().status === 'signed-out'
  useTimer(isSignedOut, MOVES_ON_AFTER, () => navigate('/signin'))
  return (
    <AccountDone title={i18n.t('Password reset')} link={i18n.t('Sign in now')}>
      <p>
        {isSignedOut
          ? i18n.t('Your password has been changed. Taking you to the sign-in page…')
          : i18n.t('Your password has been changed.')}
      </p>
    </AccountDone>
  )
}
