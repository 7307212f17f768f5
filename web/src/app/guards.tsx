import { useEffect, useState } from 'react'
import { type Location, Navigate, Outlet, useLocation } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { lastSignedInId, useSession } from '../session/session.ts'
import { toast } from '../ui/feedback/toast.ts'
import { Loading } from './lazy-screen.tsx'

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** State for /signin: the page to come back to, and whose it was; what one person searched for is not for the next. */
export const returnState = (from: Location) => ({ from, of: lastSignedInId() })

/** Returns the page that a signed-out visitor asked for, with its query; never one outside this site. */
function rememberedIn(state: unknown): string {
  const { from, of } = Object(state)
  const { pathname, search, hash } = Object(of === undefined || of === lastSignedInId() ? from : undefined)
  const path = textOf(pathname)
  return /^\/(?![/\\])/.test(path) ? path + textOf(search) + textOf(hash) : '/dashboard'
}

/** Says why an invitation does not open where another person is signed in; who accepts it here is signed in by it. */
function useInvitationOfAnother(admits: GuardProps['admits']) {
  const { status, user } = useSession()
  const { search } = useLocation()
  const [wasSignedOut] = useState(status === 'signed-out')
  const isInvited = admits === 'signed-out' && new URLSearchParams(search).has('invite')
  const email = isInvited && !wasSignedOut && user?.email
  useEffect(() => {
    if (email)
      toast(
        i18n.t(
          'In this browser, {email} is signed in. To accept the invitation, log out and open its link again.',
          { email },
        ),
        { type: 'warning', duration: 15_000 },
      )
  }, [email])
}

interface GuardProps {
  admits: 'signed-in' | 'signed-out'
}

/** Admits one kind of visitor; sends others to /signin and later back, or back to the page that they wanted. */
export function Guard({ admits }: GuardProps) {
  const { status } = useSession()
  const location = useLocation()
  useInvitationOfAnother(admits)
  if (status === 'checking') return <Loading label={i18n.t('Checking authentication...')} />
  if (status === admits) return <Outlet />
  if (status === 'signed-in') return <Navigate to={rememberedIn(location.state)} replace />
  return <Navigate to="/signin" replace state={returnState(location)} />
}
