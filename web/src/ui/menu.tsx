import { type ReactNode, useId, useRef } from 'react'
import { classes } from './classes.ts'
import { useDisclosure } from './use-disclosure.ts'

interface MenuProps {
  /** Content of the button. */
  label: ReactNode
  button: string
  panel: string
  /** The entries; `close` also gives the focus back to the button. */
  children(close: () => void): ReactNode
}

/** A button that opens a panel of entries below it. */
export function Menu({ label, button: buttonLook, panel, children }: MenuProps) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const { open, button, toggle, close } = useDisclosure(box)
  const closeAndFocus = () => {
    close()
    button.current?.focus()
  }
  return (
    <div ref={box} className="relative">
      <button
        type="button"
        ref={button}
        aria-expanded={open}
        aria-controls={id}
        onClick={toggle}
        className={classes('flex items-center rounded-control font-semibold', buttonLook)}
      >
        {label}
      </button>
      <div
        id={id}
        hidden={!open}
        className={classes('absolute border border-line bg-surface shadow-sheet', panel)}
      >
        {children(closeAndFocus)}
      </div>
    </div>
  )
}
