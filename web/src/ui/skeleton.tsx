import { classes } from './classes.ts'

/** A grey place-holder; give it a size. What is loading is said by the one who shows it. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden="true" className={classes('animate-pulse rounded-control bg-line/70', className)} />
)
