import { Trans } from '@lingui/react'
import { useQueryClient } from '@tanstack/react-query'
import { ChangePasswordBody } from '@voxscribe/contracts/http'
import { SIGNUP_PASSWORD_MIN } from '@voxscribe/contracts/limits'
import { z } from 'zod'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { replaceTokens } from '../session/renewal.ts'
import { useProfileChange } from '../session/use-profile.ts'
import { useSession } from '../session/use-session.ts'
import { TextLink } from '../ui/action/button.tsx'
import { PasswordField } from '../ui/form/field.tsx'
import { Form, FormMessage, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { TitledCard } from '../ui/layout/card.tsx'
import { enteredTwice, NewPasswordFields } from './new-password.tsx'
import { SESSIONS } from './sessions-card.tsx'

const PasswordValues = ChangePasswordBody.extend({ confirm: z.string() }).refine(
  ...enteredTwice('newPassword'),
)
const EMPTY = { password: '', newPassword: '', confirm: '' }

export const PasswordCard = () => (useSession().user?.without_password ? <NoPassword /> : <ChangePassword />)

const NoPassword = () => (
  <TitledCard title={i18n.t('Password')} large>
    <p className="mt-2 text-soft">
      <Trans
        id="You have no password. If you want one, or lose the other ways to sign in, <0>choose a password</0> by email."
        components={{ 0: <TextLink to="/forgot-password" /> }}
      />
    </p>
  </TitledCard>
)

function ChangePassword() {
  const { reload } = useProfileChange()
  const queries = useQueryClient()
  const change = useCallForm({
    schema: PasswordValues,
    defaultValues: EMPTY,
    async send({ password, newPassword }) {
      await replaceTokens(() => call('changePassword', { body: { password, newPassword } }))
      void reload()
    },
    unanswered: i18n.t(
      'No answer came, so your password may be changed already. If you are signed out now, sign in with the new one.',
    ),
    onSuccess() {
      change.form.reset(EMPTY)
      void queries.invalidateQueries(SESSIONS)
    },
  })
  return (
    <TitledCard title={i18n.t('Password')} large>
      <p className="mt-2 mb-6 text-soft">
        {i18n.t(
          'A new password signs you out on all other devices, ends your API keys and shared links, turns your hooks off, and changes your link code.',
        )}
      </p>
      <Form of={change} fallback={i18n.t('An error occurred')}>
        {change.call.isSuccess && (
          <FormMessage of={change.call.submittedAt} tone="success">
            {i18n.t('Your password has been changed.')}
          </FormMessage>
        )}
        <PasswordField
          label={i18n.t('Current password')}
          autoComplete="current-password"
          {...change.field('password')}
        />
        <NewPasswordFields min={SIGNUP_PASSWORD_MIN} field={change.field} />
        <SubmitButton busyLabel={i18n.t('Saving…')}>{i18n.t('Change password')}</SubmitButton>
      </Form>
    </TitledCard>
  )
}
