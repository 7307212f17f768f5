import { Link, useSearchParams } from 'react-router-dom'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { AccountPage } from './account-page.tsx'
import { ResetDone } from './reset-done.tsx'
import { useResetForm } from './use-reset-form.ts'

export default function ResetPasswordScreen() {
  const token = useSearchParams()[0].get('token')?.trim() ?? ''
  const { form, reset, submit } = useResetForm(token)
  const { errors } = form.formState
  if (reset.isSuccess) return <ResetDone />
  return (
    <AccountPage
      title="Reset Password"
      intro="Choose a new password for your account."
      below={
        <Link to="/forgot-password" className="link">
          Ask for a new link
        </Link>
      }
    >
      <form onSubmit={submit} noValidate>
        <fieldset disabled={reset.isPending} className="grid gap-5">
          {!token && !reset.error && <Banner>Invalid or missing reset token</Banner>}
          <FormError error={reset.error} fallback="An error occurred" />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            hint="At least 6 characters"
            error={errors.newPassword?.message}
            {...form.register('newPassword')}
          />
          <PasswordField
            label="Confirm new password"
            autoComplete="new-password"
            error={errors.confirm?.message}
            {...form.register('confirm')}
          />
          <Button type="submit" busy={reset.isPending} busyLabel="Saving...">
            Reset Password
          </Button>
        </fieldset>
      </form>
    </AccountPage>
  )
}
