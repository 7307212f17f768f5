import { classes } from './classes.ts'
import { Icon } from './icon.tsx'

/** Points down: something opens below. */
export const Chevron = ({ className }: { className?: string }) => (
  <Icon of="m4 6 4 4 4-4" box="0 0 16 16" className={classes('size-4 shrink-0', className)} />
)
