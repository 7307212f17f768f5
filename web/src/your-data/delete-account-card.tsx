import { EraseAccountBody } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { useSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { TitledCard } from '../ui/card.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Form } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { toast } from '../ui/toast.ts'
import { useCallForm } from '../ui/use-call-form.ts'

const FAREWELL_MS = 15_000

/** Deletes the account, after its password and one more question. */
export function DeleteAccountCard() {
  const { signOut } = useSession()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  const erasure = useCallForm({
    schema: EraseAccountBody,
    defaultValues: { password: '' },
    send: body => call('eraseAccount', { body }),
    async onSuccess() {
      await signOut()
      navigate('/', { replace: true, state: null })
      toast(i18n.t('Your account is deleted. Thank you for having been here, and farewell.'), {
        type: 'success',
        duration: FAREWELL_MS,
      })
    },
  })
  const submit = erasure.form.handleSubmit(() => setAsking(true))
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
        <Form of={{ ...erasure, onSubmit: submit }} fallback={i18n.t('Failed to delete your account')}>
          <PasswordField
            label={i18n.t('Password')}
            autoComplete="current-password"
            {...erasure.field('password')}
          />
          <Button
            type="submit"
            variant="danger"
            className="justify-self-start"
            busy={erasure.call.isPending}
            busyLabel={i18n.t('Deleting...')}
          >
            {i18n.t('Delete my account')}
          </Button>
        </Form>
      </div>
      {isAsking && (
        <Dialog
          title={i18n.t('Delete your account for good?')}
          confirmLabel={i18n.t('Delete everything')}
          closeLabel={i18n.t('Keep my account')}
          danger
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            erasure.call.mutate(erasure.form.getValues())
          }}
        >
          {i18n.t(
            'You are signed out everywhere, and all your texts and recordings are deleted within an hour. Your number and email address are free for a new account at once.',
          )}
        </Dialog>
      )}
    </TitledCard>
  )
}
