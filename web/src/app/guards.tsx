import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { useSession } from '../session/session.ts'
import { Loading } from './lazy-screen.tsx'

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Returns the page that a signed-out visitor asked for, with its query; never one outside this site. */
function rememberedIn(state: unknown): string {
  const { pathname, search, hash } = Object(Object(state).from)
  const path = textOf(pathname)
  return /^\/(?![/\\])/.test(path) ? path + textOf(search) + textOf(hash) : '/dashboard'
}

/** Admits one kind of visitor; sends others to /signin and later back, or back to the page that they wanted. */
export function Guard({ admits }: { admits: 'signed-in' | 'signed-out' }) {
  const { status } = useSession()
  const location = useLocation()
  if (status === 'checking') return <Loading label={i18n.t('Checking authentication...')} />
  if (status === admits) return <Outlet />
  if (status === 'signed-in') return <Navigate to={rememberedIn(location.state)} replace />
  return <Navigate to="/signin" replace state={{ from: location }} />
}
