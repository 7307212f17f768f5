import { Fragment, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { classes } from '../classes.ts'
import { useListener } from './use-listener.ts'

interface MenuProps {
  label: ReactNode
  button: string
  panel: string
  /** The box around both, which positions the panel. */
  className?: string
  /** The entries; `close` also returns the focus to the button. */
  children(close: () => void): ReactNode
}

/** Entries under a title. */
export const Group = ({
  title,
  className,
  children,
}: {
  title: string
  className?: string
  children: ReactNode
}) => (
  <fieldset
    className={classes(
      'border-line border-t py-1 first:border-t-0 [&>button]:min-h-11 [&>button]:w-full [&>button]:justify-start [&>button]:border-0 [&>button]:px-3 [&>button]:font-normal [&>button]:text-base [&>button]:text-start',
      className,
    )}
  >
    <legend className="sr-only">{title}</legend>
    {children}
  </fieldset>
)

/** A button that opens a panel of entries. Escape, a press outside and a change of page close it. */
export function Menu({ label, button: buttonLook, panel, className = 'relative', children }: MenuProps) {
  const [open, setOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const { key } = useLocation()
  const closeAndFocus = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKey = ({ key }: KeyboardEvent) => {
    // An entry's dialog closes itself; hidden along with the panel, it would still block the page.
    if (key === 'Escape' && !box.current?.querySelector('dialog')) closeAndFocus()
  }
  const closeIfOutside = ({ target }: Event) => {
    if (target instanceof Node && !box.current?.contains(target)) setOpen(false)
  }
  useListener(document, ['keydown'], onKey, open)
  useListener(document, ['pointerdown', 'focusin'], closeIfOutside, open)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new place is the reason
  useEffect(() => setOpen(false), [key])
  return (
    <div ref={box} className={className}>
      <button
        type="button"
        ref={button}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          setOpen(!open)
          setOpenings(openings + 1)
        }}
        className={classes(
          'flex pointer-coarse:min-h-10 items-center rounded-control font-semibold',
          buttonLook,
        )}
      >
        {label}
      </button>
      <div
        id={id}
        hidden={!open}
        className={classes('absolute border border-line bg-surface shadow-sheet', panel)}
      >
        {/* The key folds expanded entries at the next opening. */}
        <Fragment key={openings}>{children(closeAndFocus)}</Fragment>
      </div>
    </div>
  )
}
