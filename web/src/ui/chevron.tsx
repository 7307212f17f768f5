import { classes } from './classes.ts'

/** Points down: something opens below. */
export const Chevron = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 16 16" className={classes('size-4 shrink-0', className)} fill="none" aria-hidden="true">
    <path d="m4 6 4 4 4-4" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
  </svg>
)
