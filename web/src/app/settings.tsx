import { NavLink, Outlet } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { type Load, lazyScreen } from './lazy-screen.tsx'

/** A person's own pages: a line here is a route, and an entry above each of them. */
const SETTINGS: { path: string; name: string; load: Load }[] = [
  {
    path: '/update-profile',
    name: /*i18n*/ 'Profile',
    load: () => import('../person/update-profile-screen.tsx'),
  },
  { path: '/security', name: /*i18n*/ 'Security', load: () => import('../person/security-screen.tsx') },
  { path: '/your-data', name: /*i18n*/ 'Your data', load: () => import('../person/your-data-screen.tsx') },
  { path: '/words', name: /*i18n*/ 'Your words', load: () => import('../person/words-screen.tsx') },
  { path: '/api-keys', name: /*i18n*/ 'API keys', load: () => import('../programs/api-keys-screen.tsx') },
  { path: '/hooks', name: /*i18n*/ 'Hooks', load: () => import('../programs/webhooks/hooks-screen.tsx') },
]

const Settings = () => (
  <div className="mx-auto max-w-3xl">
    <nav aria-label={i18n.t('Settings')} className="page pt-4 sm:pt-9">
      <ul className="-mx-3 flex flex-wrap">
        {SETTINGS.map(({ path, name }) => (
          <li key={path}>
            <NavLink
              to={path}
              className="flex min-h-11 items-center rounded-md px-3 font-medium text-soft hover:text-accent aria-[current=page]:bg-wash aria-[current=page]:text-accent forced-colors:aria-[current=page]:underline"
            >
              {i18n.t(name)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
    <Outlet />
  </div>
)

export const settings = {
  element: <Settings />,
  children: SETTINGS.map(({ path, load }) => ({ path, element: lazyScreen(load) })),
}
