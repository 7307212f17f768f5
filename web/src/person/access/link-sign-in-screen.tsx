import type { DataFor } from '@voxscribe/contracts/calls'
import { MailedLinkBody } from '@voxscribe/contracts/http'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { useNavigate } from 'react-router-dom'
import { useWaysIn } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { useSession } from '../../session/use-session.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Form, SubmitButton, useCallForm } from '../../ui/form/form.tsx'
import { AccountPage, sessionIn, useMailedToken } from './account-page.tsx'

/** Opened by a mail's link. Only the button changes anything, because mail scanners open links. */
export default function LinkSignInScreen() {
  const { token } = useMailedToken()
  const { provider } = useWaysIn()
  const { signIn } = useSession()
  const navigate = useNavigate()
  const linking = useCallForm({
    schema: MailedLinkBody,
    values: { token },
    async send(body) {
      const { data, ...answer } = await call('oidcLink', { body })
      return sessionIn({ ...answer, data: data as DataFor<'login'> }, i18n.t('Login failed'))
    },
    onSuccess(session) {
      signIn(session)
      navigate('/dashboard', { replace: true })
    },
  })
  const isUnusable = !token || linking.errorOf('token')
  return (
    <AccountPage
      title={i18n.t('Is this your account?')}
      intro={i18n.t('From now on, {name} signs you in to the account whose email brought you here.', {
        name: provider ?? '',
      })}
      below={isUnusable && <TextLink to="/signin">{i18n.t('Back to sign in')}</TextLink>}
    >
      <Form of={linking} fallback={i18n.t('Login failed')}>
        {isUnusable && !linking.call.error && <Banner>{i18n.t(REFUSALS.link_expired.text)}</Banner>}
        <SubmitButton disabled={!token} busyLabel={i18n.t('Signing in…')}>
          {i18n.t('Link and sign in')}
        </SubmitButton>
      </Form>
    </AccountPage>
  )
}
