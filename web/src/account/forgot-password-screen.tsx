import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { ForgotPasswordBody } from '@voxscribe/contracts/http'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router-dom'
import { call } from '../session/client.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { fieldsOf } from '../ui/form-fields.ts'
import { AccountPage } from './account-page.tsx'

const BackToSignin = () => (
  <Link to="/signin" className="link">
    Back to sign in
  </Link>
)

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
      below={<BackToSignin />}
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
  <AccountPage title="Password Reset Email Sent" afterForm below={<BackToSignin />}>
    <p role="status" className="text-lg">
      If an account exists for {email}, you will receive an email with instructions on how to reset your
      password.
    </p>
    <p className="mt-4 text-soft">
      The link works once, within one hour. Nothing there? Check your spam folder.
    </p>
  </AccountPage>
)
