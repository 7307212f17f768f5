import type { ComponentProps, ReactNode } from 'react'
import { useLostFocus } from '../action/use-lost-focus.ts'
import { classes } from '../classes.ts'

const VALUE = 'min-w-0 font-semibold text-ink'
const LOOKS = {
  /** Shows only values; screen readers also get the names. */
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
  /** Pairs without a value are omitted. */
  facts: [name: string, value: ReactNode][]
  /** One pair per line, or all in a row. */
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

/** A list whose entries may disappear: it then takes the focus that was in one of them. */
export function Entries({ name, children }: { name: string; children: ReactNode[] }) {
  const list = useLostFocus<HTMLUListElement>(children.length)
  return (
    <ul ref={list} tabIndex={-1} aria-label={name} className="mt-4 divide-y divide-line border-line border-y">
      {children}
    </ul>
  )
}

interface EntryProps {
  name: string
  badges?: ReactNode
  actions?: ReactNode
  facts: ComponentProps<typeof Facts>['facts']
  children?: ReactNode
}

/** A named item of a list: badges and actions beside the name, facts below it. */
export const Entry = ({ name, badges, actions, facts, children }: EntryProps) => (
  <li className="py-4">
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="wrap-anywhere me-1 min-w-0 text-lg">
        <bdi>{name}</bdi>
      </h3>
      {badges}
      <span className="ms-auto flex flex-wrap">{actions}</span>
    </div>
    {children}
    <Facts look="line" className="mt-2" facts={facts} />
  </li>
)
