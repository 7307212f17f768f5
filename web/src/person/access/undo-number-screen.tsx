import { UndoBody } from '@voxscribe/contracts/http'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Form, SubmitButton } from '../../ui/form/form.tsx'
import { useCallForm } from '../../ui/form/use-call-form.ts'
import { AccountDone, AccountPage, useMailedToken } from './account-page.tsx'

/** Opened from the mail about another number. Only the button changes anything, because mail scanners open links. */
export default function UndoNumberScreen() {
  const { token, endSession } = useMailedToken()
  const undo = useCallForm({
    schema: UndoBody,
    values: { token },
    send: body => call('undoNumber', { body }).then(endSession),
  })
  const isUnusable = !token || undo.errorOf('token')
  if (undo.call.isSuccess)
    return (
      <AccountDone title={i18n.t('Number Restored')} link={i18n.t('Sign in')}>
        <p>
          {i18n.t(
            'Your WhatsApp number is back, everyone is signed out, and there is a new link code. Choose a new password if someone else may know yours.',
          )}
        </p>
      </AccountDone>
    )
  return (
    <AccountPage
      title={i18n.t('Restore Your Number')}
      intro={i18n.t(
        'Another WhatsApp number was linked to your Voxscribe account. If it wasn’t you, bring back the one that was linked before.',
      )}
    >
      <Form of={undo} fallback={i18n.t('An error occurred')}>
        {isUnusable && !undo.call.error && <Banner>{i18n.t(REFUSALS.link_expired.text)}</Banner>}
        <p>
          {i18n.t(
            'This removes the new number, signs everyone out of your account and makes a new link code.',
          )}
        </p>
        <SubmitButton disabled={!token} busyLabel={i18n.t('Restoring...')}>
          {i18n.t('Restore My Number')}
        </SubmitButton>
      </Form>
    </AccountPage>
  )
}
