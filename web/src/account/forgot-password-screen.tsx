import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { ForgotPasswordBody } from '@voxscribe/contracts/http'
import { useForm } from 'react-hook-form'
import { call } from '../session/client.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { fieldsOf } from '../ui/form-fields.ts'
import { TextLink } from '../ui/text-link.tsx'
import { AccountDone, AccountPage } from './account-page.tsx'

const BACK = 'Back to sign in'

export default function ForgotPasswordScreen() {
  const request = useMutation({
    mutationFn: (email: string) => call('forgotPassword', { body: { email } }),
  })
  const form = useForm({ resolver: zodResolver(ForgotPasswordBody) })
  if (request.isSuccess) return <Sent email={request.variables} />
  return (
    <AccountPage
      title="Forgot Password"
      intro="Enter your email address and we’ll send you a link to choose a new password."
      below={<TextLink to="/signin">{BACK}</TextLink>}
    >
      <Form
        onSubmit={form.handleSubmit(({ email }) => request.mutate(email))}
        call={request}
        fallback="An error occurred"
      >
        <Field label="Email" type="email" autoComplete="email" {...fieldsOf(form)('email')} />
        <Button type="submit" busy={request.isPending} busyLabel="Sending...">
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
