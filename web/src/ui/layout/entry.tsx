import type { ComponentProps, ReactNode } from 'react'
import { Facts } from './facts.tsx'

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
