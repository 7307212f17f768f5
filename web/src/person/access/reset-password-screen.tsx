import { ResetPasswordBody } from '@voxscribe/contracts/http'
import { RESET_PASSWORD_MIN } from '@voxscribe/contracts/limits'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { useEffect } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { ApiError } from '../../api/errors.ts'
import { useWaysIn } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Form, SubmitButton, useCallForm } from '../../ui/form/form.tsx'
import { enteredTwice, NewPasswordFields } from '../new-password.tsx'
import { AccountDone, AccountPage, useMailedToken } from './account-page.tsx'

const MOVES_ON_AFTER = 3_000

const ResetValues = ResetPasswordBody.pick({ newPassword: true })
  .extend({ confirm: z.string() })
  .refine(...enteredTwice('newPassword'))

export default function ResetPasswordScreen() {
  const { passwords } = useWaysIn()
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
  useEffect(() => {
    const timer = setTimeout(() => navigate('/signin'), MOVES_ON_AFTER)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <AccountDone title={i18n.t('Password reset')} link={i18n.t('Sign in now')}>
      <p>{i18n.t('Your password has been changed. Taking you to the sign-in page…')}</p>
    </AccountDone>
  )
}
