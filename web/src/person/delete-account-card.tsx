import { Trans } from '@lingui/react'
import { EraseAccountBody, ProvePasswordBody } from '@voxscribe/contracts/http'
import { useNavigate } from 'react-router-dom'
import { useWaysIn } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { useSession } from '../session/use-session.ts'
import { TextLink } from '../ui/action/button.tsx'
import { Dialog } from '../ui/action/dialog.tsx'
import { toast } from '../ui/feedback/toast.ts'
import { PasswordField } from '../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { TitledCard } from '../ui/layout/card.tsx'

const FAREWELL_MS = 15_000

/** Deletes the account, after its password and one more question. */
export function DeleteAccountCard() {
  const { signOut, user } = useSession()
  const navigate = useNavigate()
  const { passwords } = useWaysIn()
  const erasure = useCallForm({
    schema: passwords ? ProvePasswordBody : EraseAccountBody,
    defaultValues: passwords ? { password: '' } : {},
    send: body => call('eraseAccount', { body }),
    asksFirst: () => true,
    unanswered: i18n.t(
      'No answer came, so your account may be deleted already. If you are signed out now, it is.',
    ),
    async onSuccess() {
      await signOut()
      navigate('/', { replace: true, state: null })
      toast(i18n.t('Your account has been deleted. Thank you for using Voxscribe.'), {
        type: 'success',
        duration: FAREWELL_MS,
      })
    },
  })
  return (
    <TitledCard title={i18n.t('Delete account')} large>
      <p className="mt-2 text-soft">
        {i18n.t(
          'Everything goes: your texts and recordings, your numbers and chats, API keys, hooks and minutes. A paid plan ends at once; only its invoices stay with Stripe, as the law asks.',
        )}
      </p>
      <p className="mt-2 text-soft">
        {i18n.t('Download your data first if you may want it later: nobody can bring it back.')}
      </p>
      <div className="mt-6">
        {passwords && user?.without_password ? (
          <p>
            <Trans
              id="First <0>choose a password</0>, which proves that it’s you."
              components={{ 0: <TextLink to="/forgot-password" /> }}
            />
          </p>
        ) : (
          <Form of={erasure} fallback={i18n.t('Failed to delete your account')}>
            {passwords && (
              <PasswordField
                label={i18n.t('Password')}
                autoComplete="current-password"
                {...erasure.field('password')}
              />
            )}
            <SubmitButton variant="danger" busyLabel={i18n.t('Deleting…')}>
              {i18n.t('Delete my account')}
            </SubmitButton>
          </Form>
        )}
      </div>
      {erasure.question && (
        <Dialog
          {...erasure.question}
          title={i18n.t('Delete your account for good?')}
          confirmLabel={i18n.t('Delete everything')}
          closeLabel={i18n.t('Keep my account')}
          danger
        >
          {i18n.t(
            'You are signed out everywhere, and all your texts and recordings are deleted within an hour. Your number and email address are free for a new account at once.',
          )}
        </Dialog>
      )}
    </TitledCard>
  )
}
