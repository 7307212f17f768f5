import { UndoBody } from '@voxscribe/contracts/http'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Form, SubmitButton } from '../../ui/form/form.tsx'
import { useCallForm } from '../../ui/form/use-call-form.ts'
import { AccountDone, AccountPage, useMailedToken } from './account-page.tsx'

/** Opened from the mail to an old address. Only the button changes anything, because mail scanners open links. */
export default function UndoEmailScreen() {
  const { token, endSession } = useMailedToken()
  const undo = useCallForm({
    schema: UndoBody,
    values: { token },
    send: body => call('undoEmail', { body }).then(endSession),
  })
  const isUnusable = !token || undo.errorOf('token')
  if (undo.call.isSuccess)
    return (
      <AccountDone title={i18n.t('Email Restored')} link={i18n.t('Sign in')}>
        <p>
          {i18n.t(
            'Your old email address is back and everyone is signed out. Check your inbox: we’ve sent you a link to choose a new password.',
          )}
        </p>
      </AccountDone>
    )
  return (
    <AccountPage
      title={i18n.t('Restore Your Email')}
      intro={i18n.t(
        'The email address of your Voxscribe account was changed. If it wasn’t you, restore the address that got our email.',
      )}
    >
      <Form of={undo} fallback={i18n.t('An error occurred')}>
        {isUnusable && !undo.call.error && <Banner>{i18n.t(REFUSALS.link_expired.text)}</Banner>}
        <p>
          {i18n.t(
            'This signs everyone out of your account and brings your earlier password back. We’ll also email you a link to choose a new one.',
          )}
        </p>
        <SubmitButton disabled={!token} busyLabel={i18n.t('Restoring...')}>
          {i18n.t('Restore My Email')}
        </SubmitButton>
      </Form>
    </AccountPage>
  )
}
