import type { ReactNode } from 'react'
import { classes } from '../classes.ts'

const VALUE = 'min-w-0 font-semibold text-ink'
const LOOKS = {
  /** Values only: their names are for screen readers. */
  small: {
    list: 'flex flex-wrap gap-x-2 text-soft text-xs empty:hidden sm:gap-x-3',
    pair: 'min-w-0',
    name: 'sr-only',
    value: '',
  },
  line: {
    list: 'flex flex-wrap gap-x-6 gap-y-1 text-sm',
    pair: 'flex min-w-0 gap-1.5',
    name: 'shrink-0 text-soft',
    value: VALUE,
  },
  table: {
    list: 'divide-y divide-line border-line border-y',
    pair: 'flex flex-wrap justify-between gap-x-6 gap-y-1 py-2.5',
    name: 'text-soft',
    value: VALUE,
  },
}

interface FactsProps {
  /** Pairs without a value are left out. */
  facts: [name: string, value: ReactNode][]
  /** One pair a line, or all in a row. */
  look?: keyof typeof LOOKS
  className?: string
}

export const Facts = ({ facts, look = 'table', className }: FactsProps) => (
  <dl className={classes(LOOKS[look].list, className)}>
    {facts
      .filter(([, value]) => value)
      .map(([name, value]) => (
        <div key={name} className={LOOKS[look].pair}>
          <dt className={LOOKS[look].name}>{name}</dt>
          <dd className={classes('wrap-anywhere tabular-nums', LOOKS[look].value)}>{value}</dd>
        </div>
      ))}
  </dl>
)
