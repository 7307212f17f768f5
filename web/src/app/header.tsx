import { useEffect, useRef, useState } from 'react'
import { NavLink, useNavigate } from 'react-router-dom'
import { useSession } from '../session/use-session.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { useDisclosure } from '../ui/use-disclosure.ts'
import { Brand } from './brand.tsx'
import { UserMenu } from './user-menu.tsx'

export function Header() {
  const { status, user } = useSession()
  const scrolled = useScrolled()
  const logOut = useLogOut()
  const box = useRef<HTMLElement>(null)
  const menu = useDisclosure(box)
  return (
    <header
      ref={box}
      data-scrolled={scrolled}
      className={classes(
        'fixed inset-x-0 top-0 z-40 transition-[background-color,box-shadow]',
        scrolled || menu.open ? 'bg-surface/95 shadow-[0_1px_0_var(--line)] backdrop-blur-sm' : 'bg-paper/85',
      )}
    >
      <div className="page flex h-16 items-center gap-6">
        <Brand />
        <PageLinks
          className="mr-auto hidden gap-1 md:flex"
          linkLook="px-3 py-2 text-soft hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-2 aria-[current=page]:decoration-accent aria-[current=page]:underline-offset-8"
        />
        <div className="hidden items-center gap-2 md:flex">
          {status === 'signed-in' && <UserMenu user={user} onLogOut={logOut} />}
          {status === 'signed-out' && <VisitorLinks size="small" />}
        </div>
        <MenuButton {...menu} />
      </div>
      {menu.open && (
        <div id="mobile-menu" className="page max-h-[calc(100dvh-4rem)] overflow-y-auto pb-6 md:hidden">
          <PageLinks
            className="grid border-line border-t py-2"
            linkLook="px-2 py-3 text-lg hover:bg-wash aria-[current=page]:text-accent"
          />
          <div className="grid gap-3">
            {status === 'signed-in' && (
              <>
                <ButtonLink to="/dashboard">Dashboard</ButtonLink>
                <Button variant="secondary" onClick={logOut}>
                  Log Out
                </Button>
              </>
            )}
            {status === 'signed-out' && <VisitorLinks />}
          </div>
        </div>
      )}
    </header>
  )
}

const TRANSCRIPTIONS = '/transcription-history'
const PAGES = [
  ['/', 'Home'],
  [TRANSCRIPTIONS, 'Transcriptions'],
  ['/pricing', 'Pricing'],
  ['/blog', 'Blog'],
  ['/contact', 'Contact'],
] as const

/** Home is for visitors only, transcriptions for account holders. */
function PageLinks({ className, linkLook }: { className: string; linkLook: string }) {
  const { status } = useSession()
  return (
    <nav aria-label="Main" className={className}>
      {PAGES.filter(([to]) => to !== (status === 'signed-in' ? '/' : TRANSCRIPTIONS)).map(([to, name]) => (
        <NavLink key={to} to={to} end={to === '/'} className={classes('rounded-md font-medium', linkLook)}>
          {name}
        </NavLink>
      ))}
    </nav>
  )
}

/** The important one is last in the row, and first on a phone. */
function VisitorLinks({ size }: { size?: 'small' }) {
  const links = [
    <ButtonLink key="in" to="/signin" variant={size ? 'quiet' : 'secondary'} size={size}>
      Sign In
    </ButtonLink>,
    <ButtonLink key="up" to="/signup" size={size}>
      Sign Up
    </ButtonLink>,
  ]
  return size ? links : links.toReversed()
}

const MenuButton = ({ open, button, toggle }: ReturnType<typeof useDisclosure>) => (
  <button
    type="button"
    ref={button}
    aria-expanded={open}
    aria-controls="mobile-menu"
    onClick={toggle}
    className="-mr-2 ml-auto grid size-11 place-items-center rounded-md hover:bg-wash md:hidden"
  >
    <span className="sr-only">{open ? 'Close menu' : 'Open menu'}</span>
    <Icon of={open ? 'M6 6l12 12M18 6L6 18' : 'M4 8h16M4 16h16'} className="size-6" />
  </button>
)

/** Pixels of scrolling after which the header stands out from the page. */
const SCROLLED_AFTER = 20

function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > SCROLLED_AFTER)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  return scrolled
}

/** Signs out and goes to /signin, without remembering the page for the next sign-in. */
function useLogOut() {
  const { signOut } = useSession()
  const navigate = useNavigate()
  return async () => {
    await signOut()
    navigate('/signin', { replace: true, state: null })
  }
}
