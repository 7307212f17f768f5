import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

/** A grey placeholder; give it a size. `SaysLoading` tells screen readers. */
export const Skeleton = ({ className, ...rest }: ComponentProps<'div'>) => (
  <div
    {...rest}
    aria-hidden="true"
    className={classes('animate-pulse rounded-control bg-line/70', className)}
  />
)

/** Accompanies skeletons, for screen readers. */
export const SaysLoading = () => (
  <span role="status" className="sr-only">
    Loading...
  </span>
)
