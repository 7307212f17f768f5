import type { ComponentProps } from 'react'
import { classes } from '../classes.ts'

interface TickProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Half-ticked: some of what it stands for is. */
  isSome?: boolean
}

/** A box to tick with its words in one line. */
export const Tick = ({ className, children, isSome = false, ...input }: TickProps) => (
  <label className={classes('flex min-h-11 cursor-pointer items-center gap-2', className)}>
    <input
      {...input}
      type="checkbox"
      ref={box => {
        if (box) box.indeterminate = isSome
      }}
      className="size-5 shrink-0 accent-accent"
    />
    {children}
  </label>
)
