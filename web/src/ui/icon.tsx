import { classes } from './classes.ts'

interface IconProps {
  of: string
  box?: string
  width?: number
  className?: string
}

/** A line drawing in the color of the text, hidden from screen readers. */
export const Icon = ({ of, box = '0 0 24 24', width = 2, className }: IconProps) => (
  <svg
    viewBox={box}
    className={className}
    fill="none"
    stroke="currentColor"
    strokeWidth={width}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={of} />
  </svg>
)

/** Points down to show that something opens below. */
export const Chevron = ({ className }: { className?: string }) => (
  <Icon of="m4 6 4 4 4-4" box="0 0 16 16" className={classes('size-4 shrink-0', className)} />
)
