import { NavLink } from 'react-router-dom'
import type { SessionState } from '../session/store.ts'
import { classes } from '../ui/classes.ts'

const PAGES = [
  ['/', 'Home'],
  ['/pricing', 'Pricing'],
  ['/blog', 'Blog'],
  ['/contact', 'Contact'],
] as const

interface PageLinksProps {
  status: SessionState['status']
  className: string
  linkLook: string
  onChoice?(): void
}

/** The links of the header; Home is for visitors only. */
export const PageLinks = ({ status, className, linkLook, onChoice }: PageLinksProps) => (
  <nav aria-label="Main" className={className}>
    {PAGES.filter(([to]) => to !== '/' || status !== 'signed-in').map(([to, name]) => (
      <NavLink
        key={to}
        to={to}
        end={to === '/'}
        onClick={onChoice}
        className={classes('rounded-md font-medium', linkLook)}
      >
        {name}
      </NavLink>
    ))}
  </nav>
)
