import { NavLink } from 'react-router-dom'
import type { SessionState } from '../session/store.ts'
import { Button, ButtonLink } from '../ui/button.tsx'

interface MobileMenuProps {
  pages: { to: string; name: string }[]
  status: SessionState['status']
  onChoice(): void
  onLogOut(): void
}

export const MobileMenu = ({ pages, status, onChoice, onLogOut }: MobileMenuProps) => (
  <div id="mobile-menu" className="page max-h-[calc(100dvh-4rem)] overflow-y-auto pb-6 md:hidden">
    <nav aria-label="Main" className="grid border-line border-t py-2">
      {pages.map(page => (
        <NavLink
          key={page.to}
          to={page.to}
          end={page.to === '/'}
          onClick={onChoice}
          className="rounded-md px-2 py-3 font-medium text-lg hover:bg-wash aria-[current=page]:text-accent"
        >
          {page.name}
        </NavLink>
      ))}
    </nav>
    {status === 'signed-in' && (
      <div className="grid gap-3">
        <ButtonLink to="/dashboard" onClick={onChoice}>
          Dashboard
        </ButtonLink>
        <Button
          variant="secondary"
          onClick={() => {
            onChoice()
            onLogOut()
          }}
        >
          Log Out
        </Button>
      </div>
    )}
    {status === 'signed-out' && (
      <div className="grid gap-3">
        <ButtonLink to="/signup" onClick={onChoice}>
          Sign Up
        </ButtonLink>
        <ButtonLink to="/signin" variant="secondary" onClick={onChoice}>
          Sign In
        </ButtonLink>
      </div>
    )}
  </div>
)
