import { UndoBody } from '@voxscribe/contracts/http'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Form, SubmitButton } from '../../ui/form/form.tsx'
import { useCallForm } from '../../ui/form/use-call-form.ts'
import { AccountDone, AccountPage, ContactLink, useMailedToken } from './account-page.tsx'

interface Undo {
  undo: 'undoEmail' | 'undoNumber'
  title: string
  intro: string
  effect: string
  button: string
  doneTitle: string
  done: string
}

/** Only the button changes anything, because mail scanners open links. */
function UndoScreen({ undo, title, intro, effect, button, doneTitle, done }: Undo) {
  const { token, endSession } = useMailedToken()
  const form = useCallForm({
    schema: UndoBody,
    values: { token },
    send: body => call(undo, { body }).then(endSession),
  })
  const isUnusable = !token || form.errorOf('token')
  if (form.call.isSuccess)
    return (
      <AccountDone title={doneTitle} link={i18n.t('Sign in')}>
        <p>{done}</p>
      </AccountDone>
    )
  return (
    <AccountPage title={title} intro={intro} below={isUnusable && <ContactLink />}>
      <Form of={form} fallback={i18n.t('An error occurred')}>
        {isUnusable && !form.call.error && <Banner>{i18n.t(REFUSALS.link_expired.text)}</Banner>}
        <p>{effect}</p>
        <SubmitButton disabled={!token} busyLabel={i18n.t('Restoring...')}>
          {button}
        </SubmitButton>
      </Form>
    </AccountPage>
  )
}

/** Opened from the mail to an old address. */
export const UndoEmailScreen = () => (
  <UndoScreen
    undo="undoEmail"
    title={i18n.t('Restore Your Email')}
    intro={i18n.t(
      'The email address of your Voxscribe account was changed. If it wasn’t you, restore the address that got our email.',
    )}
    effect={i18n.t(
      'This signs everyone out of your account and brings your earlier password back. We’ll also email you a link to choose a new one.',
    )}
    button={i18n.t('Restore My Email')}
    doneTitle={i18n.t('Email Restored')}
    done={i18n.t(
      'Your old email address is back and everyone is signed out. Check your inbox: we’ve sent you a link to choose a new password.',
    )}
  />
)

/** Opened from the mail about another number. */
export const UndoNumberScreen = () => (
  <UndoScreen
    undo="undoNumber"
    title={i18n.t('Restore Your Number')}
    intro={i18n.t(
      'Another WhatsApp number was linked to your Voxscribe account. If it wasn’t you, bring back the one that was linked before.',
    )}
    effect={i18n.t(
      'This removes the new number, signs everyone out of your account and makes a new link code.',
    )}
    button={i18n.t('Restore My Number')}
    doneTitle={i18n.t('Number Restored')}
    done={i18n.t(
      'Your WhatsApp number is back, everyone is signed out, and there is a new link code. Choose a new password if someone else may know yours.',
    )}
  />
)
