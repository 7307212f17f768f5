import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import { Chevron } from '../icon.tsx'

interface RowProps {
  name: string
  /** A short form of the content, which has its own line while the row is closed. */
  value?: ReactNode
  open?: boolean
  onOpen?(): void
  className?: string
  children: ReactNode
}

/** A closed line with a name and what is behind it, which a press opens. */
export const Row = ({ name, value, open, onOpen, className, children }: RowProps) => (
  <details
    open={open}
    onToggle={event => event.currentTarget.open && onOpen?.()}
    className={classes('print:hidden group border-line border-b text-sm', className)}
  >
    <summary className="flex min-h-11 list-none items-center gap-3 [&::-webkit-details-marker]:hidden">
      <span className="font-semibold">{name}</span>
      <span className="flex min-w-0 flex-1 justify-end text-soft group-open:invisible">
        <span dir="auto" className="truncate">
          {value}
        </span>
      </span>
      <Chevron className="transition-transform group-open:rotate-180" />
    </summary>
    <div className="pb-3">{children}</div>
  </details>
)
