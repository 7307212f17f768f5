import { useCallback, useEffect, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/action/button.tsx'
import { useListener } from '../../ui/action/use-listener.ts'
import { type Player, usePlayerState } from './player.ts'

const SCROLL_KEYS = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End']
/** Elements in which the same gestures do something else. */
const ELSEWHERE = '#player, dialog, input, textarea, select'

/** Whether the page scrolls along with the audio. Scrolling away pauses that until the button or the next play. */
export function useFollowing(player: Player | null) {
  const [isOn, setOn] = useState(true)
  const [isAway, setAway] = useState(false)
  const playing = usePlayerState(player, ({ paused }) => !paused, false)
  const follows = isOn && !isAway && playing
  useEffect(() => {
    if (playing) setAway(false)
  }, [playing])
  const onGesture = (event: Event) => {
    const target = event.target as Element
    // A press on the root element is a press on the scroll bar.
    const isOther =
      event instanceof KeyboardEvent
        ? !SCROLL_KEYS.includes(event.key)
        : event.type === 'pointerdown' && target !== document.documentElement
    if (!isOther && !target.closest(ELSEWHERE)) setAway(true)
  }
  useListener(document, ['wheel', 'touchmove', 'keydown', 'pointerdown'], onGesture, follows)
  return {
    isOn,
    follows,
    /** Whether the audio plays while the person has scrolled away from the words being spoken. */
    isAway: isOn && isAway && playing,
    toggle: () => setOn(!isOn),
    comeBack: useCallback(() => setAway(false), []),
  }
}
export type Following = ReturnType<typeof useFollowing>

/** Returns to the words being spoken after the person has scrolled away. On a phone it is above the player. */
export const BackToPlaying = ({ isAway, comeBack }: Following) =>
  isAway && (
    <div className="pointer-events-none fixed inset-x-0 bottom-40 z-20 grid justify-items-center sm:bottom-6">
      <Button size="small" onClick={comeBack} className="pointer-events-auto shadow-sheet">
        {i18n.t('Back to what’s playing')}
      </Button>
    </div>
  )
