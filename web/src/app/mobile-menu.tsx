import type { SessionState } from '../session/store.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { PageLinks } from './page-links.tsx'

interface MobileMenuProps {
  status: SessionState['status']
  onChoice(): void
  onLogOut(): void
}

export const MobileMenu = ({ status, onChoice, onLogOut }: MobileMenuProps) => (
  <div id="mobile-menu" className="page max-h-[calc(100dvh-4rem)] overflow-y-auto pb-6 md:hidden">
    <PageLinks
      status={status}
      onChoice={onChoice}
      className="grid border-line border-t py-2"
      linkLook="px-2 py-3 text-lg hover:bg-wash aria-[current=page]:text-accent"
    />
    <div className="grid gap-3">
      {status === 'signed-in' && (
        <>
          <ButtonLink to="/dashboard" onClick={onChoice}>
            Dashboard
          </ButtonLink>
          <Button variant="secondary" onClick={onLogOut}>
            Log Out
          </Button>
        </>
      )}
      {status === 'signed-out' && (
        <>
          <ButtonLink to="/signup" onClick={onChoice}>
            Sign Up
          </ButtonLink>
          <ButtonLink to="/signin" variant="secondary" onClick={onChoice}>
            Sign In
          </ButtonLink>
        </>
      )}
    </div>
  </div>
)
