import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import { Chevron } from '../icon.tsx'

/** The line of a `details` that opens it; the `details` has the class `group`. */
export const Summary = ({ className, children }: { className?: string; children: ReactNode }) => (
  <summary
    className={classes(
      'flex min-h-11 list-none items-center gap-2 font-semibold [&::-webkit-details-marker]:hidden',
      className,
    )}
  >
    {children}
    <Chevron className="transition-transform group-open:rotate-180" />
  </summary>
)
