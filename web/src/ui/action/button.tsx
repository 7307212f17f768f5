import { type ComponentProps, type ReactNode, useLayoutEffect, useRef } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import { classes } from '../classes.ts'

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

/** Returns the focus to a button that lost it because it was disabled while busy. */
function useFocusKept(busy: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const had = useRef(false)
  useLayoutEffect(() => {
    // The browser moves the focus only after this effect.
    if (busy) had.current = document.activeElement === button.current
    else if (had.current && document.activeElement === document.body) button.current?.focus()
  }, [busy])
  return button
}

/** A button. While `busy`, it ignores presses and shows `busyLabel`. */
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

/** A turning ring. With a label it is read aloud; without one it decorates a text that says the same. */
export const Spinner = ({ label }: { label?: string }) => (
  <span
    className={classes('inline-flex items-center gap-3', !label && 'align-[-0.2em]')}
    role={label ? 'status' : undefined}
  >
    <svg viewBox="0 0 20 20" className="size-[1.15em] animate-spin" aria-hidden="true">
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="2.5" opacity="0.25" />
      <path
        d="M10 2a8 8 0 0 1 8 8"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </svg>
    {label}
  </span>
)

export const TextLink = ({ className, ...rest }: LinkProps) => (
  <Link {...rest} className={classes('link', className)} />
)

/** For the words of a button that only screen readers announce: the thing that it acts on, named beside it. */
export const SCREEN_READER_ONLY = { 0: <span className="sr-only" /> }
