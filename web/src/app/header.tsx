import { useSyncExternalStore } from 'react'
import { Link, NavLink, useNavigate } from 'react-router-dom'
import { useInstallation, useOpenToAll } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { useSession } from '../session/session.ts'
import { Button, ButtonLink } from '../ui/action/button.tsx'
import { Menu } from '../ui/action/menu.tsx'
import { classes } from '../ui/classes.ts'
import { Chevron, Icon } from '../ui/icon.tsx'
import { Brand } from '../ui/layout/brand.tsx'
import { LanguageSwitch } from './language-switch.tsx'

export function Header() {
  const { status, user, signOut } = useSession()
  const openToAll = useOpenToAll()
  const scrolled = useSyncExternalStore(subscribeToScroll, () => window.scrollY > SCROLLED_AFTER)
  const navigate = useNavigate()
  /** Goes to /signin without remembering this page for the next sign-in. */
  const logOut = async () => {
    await signOut()
    navigate('/signin', { replace: true, state: null })
  }
  return (
    <header
      data-scrolled={scrolled}
      className={classes(
        'print:hidden fixed low:absolute inset-x-0 top-0 z-40 transition-[background-color,box-shadow] max-md:has-aria-expanded:bg-surface',
        scrolled ? 'bg-surface/95 shadow-[0_1px_0_var(--color-line)] backdrop-blur-sm' : 'bg-paper/85',
      )}
    >
      <div className="page flex h-16 items-center gap-3 lg:gap-6">
        <Brand />
        <PageLinks
          className="me-auto hidden whitespace-nowrap md:flex lg:gap-1"
          linkLook="px-2 py-2 lg:px-3 text-soft hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-2 aria-[current=page]:decoration-accent aria-[current=page]:underline-offset-8"
        />
        <div className="hidden items-center whitespace-nowrap md:flex lg:gap-2">
          {status === 'signed-in' && (
            <UserMenu name={user?.first_name || user?.name || i18n.t('User')} onLogOut={logOut} />
          )}
          {status === 'signed-out' && (
            <>
              <ButtonLink to="/signin" variant="quiet" size="small">
                {i18n.t('Sign In')}
              </ButtonLink>
              {openToAll && (
                <ButtonLink to="/signup" size="small">
                  {i18n.t('Sign Up')}
                </ButtonLink>
              )}
            </>
          )}
        </div>
        <Menu
          label={
            <>
              <span className="sr-only">{i18n.t('Menu')}</span>
              <Icon of="M4 8h16M4 16h16" className="size-6 group-aria-expanded:hidden" />
              <Icon of="M6 6l12 12M18 6L6 18" className="hidden size-6 group-aria-expanded:block" />
            </>
          }
          className="-me-2 ms-auto md:hidden"
          button="group size-11 justify-center hover:bg-wash"
          panel="page inset-x-0 top-16 max-h-[calc(100dvh-(--spacing(16)))] overflow-y-auto border-x-0 pb-6"
        >
          {close => (
            <>
              <PageLinks
                className="grid py-2"
                linkLook="px-2 py-3 text-lg hover:bg-wash aria-[current=page]:text-accent"
              />
              <div className="grid gap-3">
                <LanguageSwitch place="menu" onChosen={close} className="px-2 font-medium text-lg" />
                {status === 'signed-in' && (
                  <>
                    <ButtonLink to="/dashboard">{i18n.t('Dashboard')}</ButtonLink>
                    <ButtonLink to="/update-profile" variant="secondary">
                      {i18n.t('Settings')}
                    </ButtonLink>
                    <Button variant="secondary" onClick={logOut}>
                      {i18n.t('Log Out')}
                    </Button>
                  </>
                )}
                {status === 'signed-out' && (
                  <>
                    {openToAll && <ButtonLink to="/signup">{i18n.t('Sign Up')}</ButtonLink>}
                    <ButtonLink to="/signin" variant="secondary">
                      {i18n.t('Sign In')}
                    </ButtonLink>
                  </>
                )}
              </div>
            </>
          )}
        </Menu>
      </div>
    </header>
  )
}

const TRANSCRIPTIONS = { to: '/transcription-history', name: /*i18n*/ 'Transcriptions' }
export const OPEN_PAGES = [
  { to: '/pricing', name: /*i18n*/ 'Pricing' },
  { to: '/blog', name: /*i18n*/ 'Blog' },
  { to: '/contact', name: /*i18n*/ 'Contact' },
]
export const ACCOUNT_PAGES = [
  { to: '/dashboard', name: /*i18n*/ 'Dashboard' },
  TRANSCRIPTIONS,
  { to: '/update-profile', name: /*i18n*/ 'Profile' },
]

/** Only visitors see Home; only account holders see Transcriptions. */
function PageLinks({ className, linkLook }: { className: string; linkLook: string }) {
  const plans = useInstallation()?.plans
  const first = useSession().status === 'signed-in' ? TRANSCRIPTIONS : { to: '/', name: /*i18n*/ 'Home' }
  return (
    <nav aria-label={i18n.t('Main')} className={className}>
      {[first, ...OPEN_PAGES]
        .filter(({ to }) => to !== '/pricing' || plans !== false)
        .map(({ to, name }) => (
          <NavLink key={to} to={to} end={to === '/'} className={classes('rounded-md font-medium', linkLook)}>
            {i18n.t(name)}
          </NavLink>
        ))}
    </nav>
  )
}

const ENTRY = 'block w-full rounded-md px-3 py-2 text-start font-medium hover:bg-wash hover:text-accent'

const UserMenu = ({ name, onLogOut }: { name: string; onLogOut(): void }) => (
  <Menu
    label={
      <>
        <span className="truncate">{name}</span>
        <Chevron />
      </>
    }
    button="min-h-10 max-w-56 gap-2 px-3 hover:bg-wash"
    panel="end-0 mt-2 w-max min-w-48 rounded-control p-1.5"
  >
    {close => (
      <>
        {ACCOUNT_PAGES.map(page => (
          <Link key={page.to} to={page.to} className={ENTRY}>
            {i18n.t(page.name)}
          </Link>
        ))}
        <LanguageSwitch place="user-menu" onChosen={close} className="px-3 font-medium" />
        <button type="button" className={ENTRY} onClick={onLogOut}>
          {i18n.t('Log Out')}
        </button>
      </>
    )}
  </Menu>
)

/** Pixels of scrolling after which the header stands out from the page. */
const SCROLLED_AFTER = 20

function subscribeToScroll(changed: () => void) {
  window.addEventListener('scroll', changed, { passive: true })
  return () => window.removeEventListener('scroll', changed)
}
