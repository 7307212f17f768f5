import { Button } from '../../ui/button.tsx'
import type { Following } from './following.ts'

/** Stops the page from scrolling along. */
export const FollowButton = ({ isOn, toggle }: Following) => (
  <Button
    size="small"
    variant="secondary"
    aria-pressed={isOn}
    onClick={toggle}
    title="Scroll along while it plays"
  >
    Follow along
  </Button>
)

/** Leads back to the words being spoken after the person has scrolled away; above the player on a phone. */
export const WayBack = ({ isAway, comeBack }: Following) =>
  isAway && (
    <div className="pointer-events-none fixed inset-x-0 bottom-46 z-20 grid justify-items-center sm:bottom-6">
      <Button size="small" onClick={comeBack} className="pointer-events-auto shadow-sheet">
        Back to what’s playing
      </Button>
    </div>
  )
