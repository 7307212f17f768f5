import { LoginBody } from '@voxscribe/contracts/http'
import { call } from '../session/client.ts'
import { useSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { useCallForm } from '../ui/use-call-form.ts'
import { FileWaiting } from '../upload/shared-list.tsx'
import { AccountPage, sessionIn } from './account-page.tsx'

/** The guard decides which page follows: it knows which one was asked for. */
export default function SigninScreen() {
  const { signIn } = useSession()
  const attempt = useCallForm({
    schema: LoginBody,
    send: async body => sessionIn(await call('login', { body }), 'Login failed'),
    onSuccess: signIn,
  })
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
      <FileWaiting />
      <Form of={attempt} fallback="An error occurred during sign in">
        <Field label="Email" type="email" autoComplete="email" {...attempt.field('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...attempt.field('password')} />
        <Button type="submit" busy={attempt.call.isPending} busyLabel="Signing in...">
          Sign In
        </Button>
      </Form>
      <p className="mt-5">
        <TextLink to="/forgot-password" state={{ email: attempt.form.watch('email') }}>
          Forgot password?
        </TextLink>
      </p>
    </AccountPage>
  )
}
