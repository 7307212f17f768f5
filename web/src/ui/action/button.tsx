import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import { classes } from '../classes.ts'
import { Spinner } from './spinner.tsx'

interface Look {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'small' | 'normal' | 'large'
}

const VARIANTS = {
  primary: 'forced-colors:border bg-accent text-on-accent not-aria-disabled:hover:bg-accent-strong',
  secondary:
    'border border-edge/60 bg-surface text-ink not-aria-disabled:hover:border-accent not-aria-disabled:hover:text-accent ' +
    'aria-pressed:border-accent aria-pressed:bg-wash aria-pressed:text-accent',
  quiet: 'text-accent not-aria-disabled:hover:bg-wash',
  danger: 'border border-bad/50 bg-surface text-bad not-aria-disabled:hover:bg-bad-wash',
}
const SIZES = {
  small: 'min-h-press min-w-10 px-3 text-sm gap-1.5',
  normal: 'min-h-11 px-5 py-2 gap-2',
  large: 'min-h-13 px-7 py-2 text-lg gap-2.5',
}

const look = ({ variant = 'primary', size = 'normal', className }: Look & { className?: string }) =>
  classes(
    'print:hidden inline-flex items-center justify-center rounded-control text-center font-semibold leading-tight',
    'transition-colors disabled:cursor-not-allowed disabled:opacity-55',
    VARIANTS[variant],
    SIZES[size],
    className,
  )

/** Gives the focus back to a button that lost it because it was disabled while busy. */
function useFocusKept(busy: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const had = useRef(false)
  useLayoutEffect(() => {
    // The browser takes the focus away only after this.
    if (busy) had.current = document.activeElement === button.current
    else if (had.current && document.activeElement === document.body) button.current?.focus()
  }, [busy])
  return button
}

/** While `busy`, it takes no presses and shows `busyLabel`. */
export function Button({
  variant,
  size,
  busy = false,
  busyLabel,
  disabled,
  className,
  children,
  type = 'button',
  ...rest
}: Look & { busy?: boolean; busyLabel?: ReactNode } & Omit<ComponentProps<'button'>, 'ref'>) {
  const button = useFocusKept(busy)
  const off = disabled || busy
  return (
    <button
      {...rest}
      ref={button}
      type={type}
      disabled={off}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      className={look({ variant, size, className })}
    >
      {busy && <Spinner />}
      <span className="contents">{busy && busyLabel ? busyLabel : children}</span>
    </button>
  )
}

export const ButtonLink = ({
  variant,
  size,
  className,
  ...rest
}: Look & LinkProps & { className?: string }) => (
  <Link {...rest} className={look({ variant, size, className })} />
)
