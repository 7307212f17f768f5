import { MailedLinkBody } from '@voxscribe/contracts/http'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { useSignInMethods } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Form, SubmitButton, useCallForm } from '../../ui/form/form.tsx'
import { AccountDone, AccountPage, ContactLink, SignedInHere, useMailedToken } from './account-page.tsx'

interface MailedLink {
  action: 'confirmEmail' | 'undoEmail' | 'undoNumber'
  title: string
  intro: string
  effect?: string
  button: string
  doneTitle: string
  done: string
}

/** Opened by a mail's link. Only the button changes anything, because mail scanners open links. */
function MailedLinkScreen({ action, title, intro, effect, button, doneTitle, done }: MailedLink) {
  const { token, endSession } = useMailedToken()
  const isUndo = action !== 'confirmEmail'
  const form = useCallForm({
    schema: MailedLinkBody,
    values: { token },
    async send(body) {
      await call(action, { body })
      if (isUndo) await endSession()
    },
  })
  const isUnusable = !token || form.errorOf('token')
  if (form.call.isSuccess)
    return (
      <AccountDone title={doneTitle} link={isUndo ? i18n.t('Sign in') : i18n.t('Open your dashboard')}>
        <p>{done}</p>
      </AccountDone>
    )
  return (
    <AccountPage title={title} intro={intro} below={isUnusable && <ContactLink />}>
      <Form of={form} fallback={i18n.t('An error occurred')}>
        {isUnusable && !form.call.error && <Banner>{i18n.t(REFUSALS.link_expired.text)}</Banner>}
        {effect && <p>{effect}</p>}
        <SignedInHere />
        <SubmitButton disabled={!token} busyLabel={isUndo ? i18n.t('Restoring…') : i18n.t('Confirming…')}>
          {button}
        </SubmitButton>
      </Form>
    </AccountPage>
  )
}

/** Opened from the mail to an address that isn't confirmed yet. */
export const ConfirmEmailScreen = () => (
  <MailedLinkScreen
    action="confirmEmail"
    title={i18n.t('Confirm your email')}
    intro={i18n.t('Texts of your notes are sent only to an address that you have confirmed.')}
    button={i18n.t('Confirm my email')}
    doneTitle={i18n.t('Email confirmed')}
    done={i18n.t('From now on, texts of your notes can reach you at this address.')}
  />
)

/** Opened from the mail to an old address. */
export function UndoEmailScreen() {
  const { passwords } = useSignInMethods()
  return (
    <MailedLinkScreen
      action="undoEmail"
      title={i18n.t('Restore your email')}
      intro={i18n.t(
        'The email address of your Voxscribe account was changed. If it wasn’t you, restore the address that got our email.',
      )}
      effect={
        passwords
          ? i18n.t(
              'This signs everyone out of your account and brings your earlier password back. We’ll also email you a link to choose a new one.',
            )
          : i18n.t('This signs everyone out of your account.')
      }
      button={i18n.t('Restore my email')}
      doneTitle={i18n.t('Email restored')}
      done={
        passwords
          ? i18n.t(
              'Your old email address is back and everyone is signed out. Check your inbox: we’ve sent you a link to choose a new password.',
            )
          : i18n.t('Your old email address is back and everyone is signed out.')
      }
    />
  )
}

/** Opened from the mail about a new number. */
export function UndoNumberScreen() {
  const { passwords } = useSignInMethods()
  return (
    <MailedLinkScreen
      action="undoNumber"
      title={i18n.t('Restore your number')}
      intro={i18n.t(
        'Another WhatsApp number was linked to your Voxscribe account. If it wasn’t you, bring back the one that was linked before.',
      )}
      effect={i18n.t(
        'This removes the new number, signs everyone out of your account and makes a new link code.',
      )}
      button={i18n.t('Restore my number')}
      doneTitle={i18n.t('Number restored')}
      done={
        passwords
          ? i18n.t(
              'Your WhatsApp number is back, everyone is signed out, and there is a new link code. Choose a new password if someone else may know yours.',
            )
          : i18n.t('Your WhatsApp number is back, everyone is signed out, and there is a new link code.')
      }
    />
  )
}
