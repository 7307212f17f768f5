import type { User } from '@voxscribe/contracts/http'
import { useRef } from 'react'
import { Link } from 'react-router-dom'
import { Chevron } from '../ui/chevron.tsx'
import { useDisclosure } from '../ui/use-disclosure.ts'

const ENTRY = 'block w-full rounded-md px-3 py-2 text-left font-medium hover:bg-wash hover:text-accent'

export function UserMenu({ user, onLogOut }: { user: User | null; onLogOut(): void }) {
  const box = useRef<HTMLDivElement>(null)
  const { open, button, toggle, close } = useDisclosure(box)
  return (
    <div ref={box} className="relative">
      <button
        type="button"
        ref={button}
        aria-expanded={open}
        aria-controls="user-menu"
        onClick={toggle}
        className="flex min-h-10 max-w-56 items-center gap-2 rounded-control px-3 font-semibold hover:bg-wash"
      >
        <span className="truncate">{user?.first_name || user?.name || 'User'}</span>
        <Chevron />
      </button>
      <div
        id="user-menu"
        hidden={!open}
        className="absolute right-0 mt-2 w-48 rounded-control border border-line bg-surface p-1.5 shadow-sheet"
      >
        <Link to="/dashboard" className={ENTRY} onClick={close}>
          Dashboard
        </Link>
        <Link to="/update-profile" className={ENTRY} onClick={close}>
          Profile
        </Link>
        <button
          type="button"
          className={ENTRY}
          onClick={() => {
            close()
            onLogOut()
          }}
        >
          Log Out
        </button>
      </div>
    </div>
  )
}
