import { Link, useSearchParams } from 'react-router-dom'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/form.tsx'
import { fieldsOf } from '../ui/form-fields.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { AccountPage } from './account-page.tsx'
import { ResetDone } from './reset-done.tsx'
import { useResetForm } from './use-reset-form.ts'

export default function ResetPasswordScreen() {
  const token = useSearchParams()[0].get('token')?.trim() ?? ''
  const { form, reset, submit } = useResetForm(token)
  const field = fieldsOf(form)
  if (reset.isSuccess) return <ResetDone />
  return (
    <AccountPage
      title="Reset Password"
      intro="Choose a new password for your account."
      below={
        <Link to="/forgot-password" className="link">
          Request a new link
        </Link>
      }
    >
      <Form onSubmit={submit} call={reset} fallback="An error occurred">
        {!token && !reset.error && <Banner>Invalid or missing reset token</Banner>}
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint="At least 6 characters"
          {...field('newPassword')}
        />
        <PasswordField label="Confirm new password" autoComplete="new-password" {...field('confirm')} />
        <Button type="submit" busy={reset.isPending} busyLabel="Saving...">
          Reset Password
        </Button>
      </Form>
    </AccountPage>
  )
}
