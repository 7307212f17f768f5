import { Navigate, NavLink, Outlet } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { LanguageSwitch } from './language-switch.tsx'
import { type Load, lazyScreen } from './lazy-screen.tsx'
import { ThemeSwitch } from './theme.tsx'

/** The settings pages. Each line becomes a route, and an entry in the navigation at the top of each page. */
export const SETTINGS: { path: string; name: string; load: Load }[] = [
  {
    path: '/update-profile',
    name: /*i18n*/ 'Profile',
    load: () => import('../person/update-profile-screen.tsx'),
  },
  {
    path: '/security',
    name: /*i18n*/ 'Security and data',
    load: () => import('../person/security-screen.tsx'),
  },
  { path: '/words', name: /*i18n*/ 'Words', load: () => import('../person/words-screen.tsx') },
  { path: '/programs', name: /*i18n*/ 'Programs', load: () => import('../programs/programs-screen.tsx') },
]

/** Parts of settings pages that have their own address in mails and on other pages, with the page that has them. */
const PARTS = { '/your-data': '/security', '/api-keys': '/programs', '/hooks': '/programs' }

const Settings = () => (
  <div className="mx-auto max-w-3xl">
    <nav aria-label={i18n.t('Settings')} className="page pt-4 sm:pt-9">
      <ul className="-mx-2 flex flex-wrap sm:-mx-3">
        {SETTINGS.map(({ path, name }) => (
          <li key={path}>
            <NavLink
              to={path}
              className="flex min-h-11 items-center rounded-md px-2 font-medium text-soft max-sm:text-[0.9375rem] sm:px-3 hover:text-accent aria-[current=page]:bg-wash aria-[current=page]:text-accent forced-colors:aria-[current=page]:underline"
            >
              {i18n.t(name)}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
    {/* The minimum height keeps a page that grows late from moving what is in view. */}
    <div className="max-sm:min-h-dvh">
      <Outlet />
    </div>
    {/* On a phone the footer doesn't have these. */}
    <section aria-label={i18n.t('Language and appearance')} className="page grid gap-2 sm:hidden">
      <LanguageSwitch place="settings" />
      <ThemeSwitch />
    </section>
  </div>
)

export const settings = {
  element: <Settings />,
  children: [
    ...SETTINGS.map(({ path, load }) => ({ path, element: lazyScreen(load) })),
    ...Object.entries(PARTS).map(([path, to]) => ({ path, element: <Navigate to={to} replace /> })),
  ],
}
