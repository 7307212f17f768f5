import type { User } from '@voxscribe/contracts/http'
import { Link } from 'react-router-dom'
import { Chevron } from '../ui/chevron.tsx'
import { Menu } from '../ui/menu.tsx'

const ENTRY = 'block w-full rounded-md px-3 py-2 text-left font-medium hover:bg-wash hover:text-accent'

export const UserMenu = ({ user, onLogOut }: { user: User | null; onLogOut(): void }) => (
  <Menu
    label={
      <>
        <span className="truncate">{user?.first_name || user?.name || 'User'}</span>
        <Chevron />
      </>
    }
    button="min-h-10 max-w-56 gap-2 px-3 hover:bg-wash"
    panel="right-0 mt-2 w-48 rounded-control p-1.5"
  >
    {() => (
      <>
        <Link to="/dashboard" className={ENTRY}>
          Dashboard
        </Link>
        <Link to="/transcription-history" className={ENTRY}>
          Transcriptions
        </Link>
        <Link to="/update-profile" className={ENTRY}>
          Profile
        </Link>
        <button type="button" className={ENTRY} onClick={onLogOut}>
          Log Out
        </button>
      </>
    )}
  </Menu>
)
