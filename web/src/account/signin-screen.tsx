import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { LoginBody } from '@voxscribe/contracts/http'
import { useForm } from 'react-hook-form'
import { useSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { fieldsOf } from '../ui/form-fields.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { AccountPage } from './account-page.tsx'
import { login } from './auth-calls.ts'

/** The guard decides which page follows: it knows which one was asked for. */
export default function SigninScreen() {
  const { signIn } = useSession()
  const attempt = useMutation({ mutationFn: login, onSuccess: signIn })
  const form = useForm({ resolver: zodResolver(LoginBody) })
  const field = fieldsOf(form)
  return (
    <AccountPage
      title="Sign In"
      intro="Welcome back. Your transcripts are where you left them."
      below={
        <>
          No account yet? <TextLink to="/signup">Sign up</TextLink>
        </>
      }
    >
      <Form
        onSubmit={form.handleSubmit(values => attempt.mutate(values))}
        call={attempt}
        fallback="An error occurred during sign in"
      >
        <Field label="Email" type="email" autoComplete="email" {...field('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
        <Button type="submit" busy={attempt.isPending} busyLabel="Signing in...">
          Sign In
        </Button>
      </Form>
      <p className="mt-5">
        <TextLink to="/forgot-password">Forgot password?</TextLink>
      </p>
    </AccountPage>
  )
}
