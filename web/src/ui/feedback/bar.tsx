import type { ComponentProps } from 'react'
import { classes } from '../classes.ts'

/** How far something is; without a `value` it only says that it goes on. */
export const Bar = ({ className, ...progress }: ComponentProps<'progress'>) => (
  <progress
    {...progress}
    className={classes(
      'block h-2 appearance-none overflow-hidden rounded-full border-none bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent',
      className,
    )}
  />
)
