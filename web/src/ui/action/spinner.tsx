import { classes } from '../classes.ts'

/** A turning ring; with a label it is read out, without one it only decorates a text that says the same. */
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
