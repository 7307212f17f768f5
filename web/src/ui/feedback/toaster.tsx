import { useRef, useState, useSyncExternalStore } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../action/button.tsx'
import { useKeys } from '../action/use-keys.ts'
import { useTimer } from '../action/use-timer.ts'
import { classes } from '../classes.ts'
import { getToasts, removeToast, subscribeToToasts, TOAST_PLACES, type Toast } from './toast.ts'

/** Milliseconds (specification, section 9). */
const APPEARS_AFTER = 10
const SLIDES_OUT_IN = 300

const LOOKS: Record<Toast['type'], [word: string, colours: string]> = {
  success: [/*i18n*/ 'Done:', 'border-good/40 text-good'],
  error: [/*i18n*/ 'Error:', 'border-bad/45 text-bad'],
  warning: [/*i18n*/ 'Note:|warning', 'border-warn/45 text-warn'],
  info: [/*i18n*/ 'Info:', 'border-accent/40 text-accent'],
}

const undoKeys = () => (navigator.platform.startsWith('Mac') ? '⌘Z' : i18n.t('Ctrl+Z'))

function ToastCard({ id, message, type, duration, position, action }: Toast) {
  const [stage, setStage] = useState<'waiting' | 'shown' | 'leaving'>('waiting')
  const [held, setHeld] = useState(false)
  const cameFrom = useRef<Element>(null)
  const leaving = stage === 'leaving'
  useTimer(stage === 'waiting', APPEARS_AFTER, () => setStage('shown'))
  useTimer(!held && !leaving, duration, () => setStage('leaving'))
  useTimer(leaving, SLIDES_OUT_IN, () => removeToast(id))
  const [word, colours] = LOOKS[type]
  const leave = () => {
    setStage('leaving')
    // The toast's buttons go, so the focus returns to where it came from.
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus({ preventScroll: true })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a resting pointer, and the focus on its buttons, keep it there
    <div
      data-stage={stage}
      data-type={type}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
        setHeld(true)
      }}
      onBlur={() => setHeld(false)}
      className={classes(
        'pointer-events-auto flex w-[min(24rem,calc(100vw-2rem))] items-start gap-3 rounded-control border-2',
        'bg-surface py-2.5 ps-4 pe-2 shadow-sheet transition duration-300',
        colours,
        stage !== 'shown' && classes('opacity-0', TOAST_PLACES[position][1]),
      )}
    >
      <p className="my-auto min-w-0 flex-1 text-ink">
        <span className="sr-only">{i18n.t(word)} </span>
        {message}
      </p>
      {action && (
        <>
          <Button
            variant="quiet"
            size="small"
            aria-keyshortcuts="Control+Z Meta+Z"
            onClick={() => {
              leave()
              action.run()
            }}
          >
            {action.label}
          </Button>
          <kbd className="pointer-coarse:hidden -ms-3 self-center whitespace-nowrap font-sans text-sm text-soft">
            {undoKeys()}
          </kbd>
        </>
      )}
      <button
        type="button"
        aria-label={i18n.t('Close message|toast')}
        onClick={leave}
        className="my-auto grid size-8 pointer-coarse:size-10 shrink-0 place-items-center rounded-md text-xl leading-none hover:bg-sunken"
      >
        ×
      </button>
    </div>
  )
}

/** Not a library: the usual one's style element violates the Content-Security-Policy, and its times are fixed. */
export function Toaster() {
  const toasts = useSyncExternalStore(subscribeToToasts, getToasts)
  // Ctrl+Z runs the newest action, because toasts come last in the page's focus order.
  useKeys(key => key === 'Ctrl+z' && toasts.findLast(({ action }) => action)?.action?.run)
  return Object.entries(TOAST_PLACES).map(([position, [place]]) => (
    <div
      key={position}
      role="status"
      aria-live="polite"
      data-position={position}
      className={classes('print:hidden pointer-events-none fixed z-50 flex flex-col gap-2', place)}
    >
      {toasts
        .filter(entry => entry.position === position)
        .map(entry => (
          <ToastCard key={entry.id} {...entry} />
        ))}
    </div>
  ))
}
