import { ConfirmEmailBody } from '@voxscribe/contracts/http'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Form, SubmitButton } from '../../ui/form/form.tsx'
import { useCallForm } from '../../ui/form/use-call-form.ts'
import { AccountDone, AccountPage, ContactLink, useMailedToken } from './account-page.tsx'

/** Opened from the mail to an address that is not proved. Only the button confirms it, because mail scanners open links. */
export default function ConfirmEmailScreen() {
  const { token } = useMailedToken()
  const confirmation = useCallForm({
    schema: ConfirmEmailBody,
    values: { token },
    send: body => call('confirmEmail', { body }),
  })
  if (confirmation.call.isSuccess)
    return (
      <AccountDone title={i18n.t('Email Confirmed')} link={i18n.t('Open your dashboard')}>
        <p>{i18n.t('From now on, texts of your notes can reach you at this address.')}</p>
      </AccountDone>
    )
  const isUnusable = !token || confirmation.errorOf('token')
  return (
    <AccountPage
      title={i18n.t('Confirm Your Email')}
      intro={i18n.t('Texts of your notes are sent only to an address that you have confirmed.')}
      below={isUnusable && <ContactLink />}
    >
      <Form of={confirmation} fallback={i18n.t('An error occurred')}>
        {isUnusable && !confirmation.call.error && <Banner>{i18n.t(REFUSALS.link_expired.text)}</Banner>}
        <SubmitButton disabled={!token} busyLabel={i18n.t('Confirming...')}>
          {i18n.t('Confirm My Email')}
        </SubmitButton>
      </Form>
    </AccountPage>
  )
}
