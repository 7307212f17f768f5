import type { DataFor } from '@voxscribe/contracts/calls'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { ApiError } from '../../api/errors.ts'
import { useSettingsLoaded } from '../../api/installation.tsx'
import { type Answered, send } from '../../api/send.ts'
import { i18n } from '../../language/i18n.ts'
import { freshAccessToken } from '../../session/renewal.ts'
import { useSession } from '../../session/session.ts'
import { TextLink } from '../../ui/action/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Page } from '../../ui/layout/page.tsx'

interface AccountPageProps {
  title: string
  intro?: ReactNode
  children: ReactNode
  /** Links to the neighboring page. */
  below?: ReactNode
  wide?: boolean
  /** Whether it replaces the form and takes its focus. */
  afterForm?: boolean
}

/** The plain frame of every form for signing in or up. It stays invisible until the ways to sign in are known. */
export function AccountPage({ title, intro, children, below, wide, afterForm }: AccountPageProps) {
  const seen = useSettingsLoaded() ? undefined : 'invisible'
  return (
    <Page
      title={title}
      intro={intro}
      takesFocus={afterForm}
      className={classes('pt-8 sm:pt-14', wide ? 'max-w-2xl' : 'max-w-lg')}
    >
      <div className={classes('mt-8', seen)}>{children}</div>
      {below && <div className={classes('mt-8 border-line border-t pt-5 text-soft', seen)}>{below}</div>}
    </Page>
  )
}

/** The way to support, for a person whose mailed link has expired. */
export const ContactLink = () => <TextLink to="/contact">{i18n.t('Contact support')}</TextLink>

interface AccountDoneProps {
  title: string
  link: string
  children: ReactNode
}

/** Replaces a form after it succeeded; the link leads to /signin, and from there to the dashboard of a signed-in person. */
export function AccountDone({ title, link, children }: AccountDoneProps) {
  const isSignedIn = useSession().status === 'signed-in'
  return (
    <AccountPage
      title={title}
      afterForm
      below={<TextLink to="/signin">{isSignedIn ? i18n.t('Open your dashboard') : link}</TextLink>}
    >
      <div role="status" className="grid gap-4 text-lg">
        {children}
        <SignedInHere />
      </div>
    </AccountPage>
  )
}

/** Says who is signed in here: a mail's link may be another person's. */
export function SignedInHere() {
  const { user } = useSession()
  if (!user) return null
  return (
    <p className="wrap-anywhere mb-5 text-base text-soft">
      {i18n.t(
        'This link is for the account that its email was sent to. In this browser, {email} is signed in.',
        { email: user.email },
      )}
    </p>
  )
}

/** Reads the token of a mail's link. If using it ends every session of its account, `endSession` ends this browser's, if it is one. */
export function useMailedToken() {
  const token = useSearchParams()[0].get('token')?.trim() ?? ''
  const { status, signOut } = useSession()
  return {
    token,
    async endSession() {
      if (status !== 'signed-in') return
      const isAnothers = await freshAccessToken()
        .then(accessToken => send('profile', {}, accessToken))
        .then(
          () => true,
          () => false,
        )
      if (!isAnothers) await signOut()
    },
  }
}

/** Returns the session in a response. Throws an `ApiError` if the tokens are missing. */
export function sessionIn({ data }: Answered<DataFor<'login'>>, otherwise: string): DataFor<'login'> {
  if (data?.user && data.accessToken && data.refreshToken) return data
  throw new ApiError(otherwise, 200)
}
