import { ForgotPasswordBody } from '@voxscribe/contracts/http'
import { useLocation } from 'react-router-dom'
import { call } from '../session/client.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { useCallForm } from '../ui/use-call-form.ts'
import { AccountDone, AccountPage } from './account-page.tsx'

const BACK = 'Back to sign in'

export default function ForgotPasswordScreen() {
  const request = useCallForm({
    schema: ForgotPasswordBody,
    defaultValues: { email: String(Object(useLocation().state).email ?? '') },
    send: body => call('forgotPassword', { body }),
  })
  if (request.call.isSuccess) return <Sent {...request.call.variables} />
  return (
    <AccountPage
      title="Forgot Password"
      intro="Enter your email address and we’ll send you a link to choose a new password."
      below={<TextLink to="/signin">{BACK}</TextLink>}
    >
      <Form of={request} fallback="An error occurred">
        <Field label="Email" type="email" autoComplete="email" {...request.field('email')} />
        <Button type="submit" busy={request.call.isPending} busyLabel="Sending...">
          Send Reset Link
        </Button>
      </Form>
    </AccountPage>
  )
}

const Sent = ({ email }: { email: string }) => (
  <AccountDone title="Password Reset Email Sent" link={BACK}>
    <p>
      If an account exists for {email}, you will receive an email with instructions on how to reset your
      password.
    </p>
    <p className="text-base text-soft">
      The link works once, within one hour. Nothing there? Check your spam folder.
    </p>
  </AccountDone>
)
