import type { ComponentProps, ReactNode } from 'react'
import { useLostFocus } from '../action/use-lost-focus.ts'
import { Facts } from './facts.tsx'

interface EntriesProps {
  name: string
  children: ReactNode[]
}

/** A list whose entries may go: it takes the focus that one had. */
export function Entries({ name, children }: EntriesProps) {
  const list = useLostFocus<HTMLUListElement>(children.length)
  return (
    <ul ref={list} tabIndex={-1} aria-label={name} className="mt-4 divide-y divide-line border-line border-y">
      {children}
    </ul>
  )
}

interface EntryProps {
  name: string
  marks?: ReactNode
  acts?: ReactNode
  facts: ComponentProps<typeof Facts>['facts']
  children?: ReactNode
}

/** One of a list of things with names: marks and acts beside the name, and facts below. */
export const Entry = ({ name, marks, acts, facts, children }: EntryProps) => (
  <li className="py-4">
    <div className="flex flex-wrap items-center gap-2">
      <h3 className="wrap-anywhere me-1 min-w-0 text-lg">
        <bdi>{name}</bdi>
      </h3>
      {marks}
      <span className="ms-auto flex flex-wrap">{acts}</span>
    </div>
    {children}
    <Facts look="line" className="mt-2" facts={facts} />
  </li>
)
