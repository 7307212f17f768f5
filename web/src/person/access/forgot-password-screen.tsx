import { ForgotPasswordBody } from '@voxscribe/contracts/http'
import { Navigate, useLocation } from 'react-router-dom'
import { useWaysIn } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { EmailField } from '../../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../../ui/form/form.tsx'
import { AccountDone, AccountPage } from './account-page.tsx'

export default function ForgotPasswordScreen() {
  const { passwords } = useWaysIn()
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
