import type { ReactNode } from 'react'
import { classes } from '../ui/classes.ts'

/** Names and values, one pair a line. */
export const Facts = ({
  facts,
  className,
}: {
  facts: [name: string, value: ReactNode][]
  className?: string
}) => (
  <dl className={classes('divide-y divide-line border-line border-y', className)}>
    {facts.map(([name, value]) => (
      <div key={name} className="flex flex-wrap justify-between gap-x-6 gap-y-1 py-2.5">
        <dt className="text-soft">{name}</dt>
        <dd className="min-w-0 wrap-anywhere font-semibold text-ink tabular-nums">{value}</dd>
      </div>
    ))}
  </dl>
)
