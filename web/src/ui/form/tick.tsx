import type { ComponentProps } from 'react'
import { classes } from '../classes.ts'

/** A box to tick with its words in one line. */
export const Tick = ({ className, children, ...input }: Omit<ComponentProps<'input'>, 'type'>) => (
  <label className={classes('flex min-h-11 cursor-pointer items-center gap-2', className)}>
    <input {...input} type="checkbox" className="size-5 shrink-0 accent-accent" />
    {children}
  </label>
)
