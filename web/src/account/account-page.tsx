import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useSession } from '../session/use-session.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { TextLink } from '../ui/text-link.tsx'

interface AccountPageProps {
  title: string
  intro?: ReactNode
  children: ReactNode
  /** Leads to the neighbouring page. */
  below?: ReactNode
  wide?: boolean
  /** It replaces the form, and takes its focus. */
  afterForm?: boolean
}

/** The plain frame of every form about signing in or up. */
export const AccountPage = ({ title, intro, children, below, wide, afterForm }: AccountPageProps) => (
  <div className="page flex justify-center pt-8 sm:pt-14">
    <div className={wide ? 'w-full max-w-2xl' : 'w-full max-w-md'}>
      <PageTitle title={title} takesFocus={afterForm} />
      {intro && <div className="mt-3 text-lg text-soft">{intro}</div>}
      <div className="mt-8">{children}</div>
      {below && <div className="mt-8 border-line border-t pt-5 text-soft">{below}</div>}
    </div>
  </div>
)

interface AccountDoneProps {
  title: string
  link: string
  children: ReactNode
}

/** In place of a form that worked; the link leads to /signin. */
export const AccountDone = ({ title, link, children }: AccountDoneProps) => (
  <AccountPage title={title} afterForm below={<TextLink to="/signin">{link}</TextLink>}>
    <div role="status" className="grid gap-4 text-lg">
      {children}
    </div>
  </AccountPage>
)

/** The token of a mail's link. Its use ends every session of the account on the server; `endSession` this browser's. */
export function useMailedToken() {
  const token = useSearchParams()[0].get('token')?.trim() ?? ''
  const { status, signOut } = useSession()
  return { token, endSession: async () => void (status === 'signed-in' && (await signOut())) }
}
