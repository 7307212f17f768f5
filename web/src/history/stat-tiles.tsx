import type { Statistics } from '@voxscribe/contracts/http'
import { figure } from '../ui/figures.ts'
import { Skeleton } from '../ui/skeleton.tsx'

/** Figures of the whole account, whatever is searched for. */
export const StatTiles = ({
  statistics,
  failed,
}: {
  statistics: Statistics | undefined
  failed: boolean
}) => (
  <dl className="mt-8 grid grid-cols-3 divide-x divide-line rounded-card border border-line bg-surface py-4 shadow-sheet">
    {(['total', 'completed', 'processing'] as const).map(name => (
      <div key={name} className="min-w-0 px-2.5 sm:px-6">
        <dt className="text-soft text-xs capitalize xs:text-sm sm:text-base">{name}</dt>
        <dd className="font-display font-semibold text-2xl tabular-nums sm:text-3xl">
          {statistics ? figure(statistics[name]) : failed ? '–' : <Skeleton className="mt-1 h-8 w-12" />}
        </dd>
      </div>
    ))}
  </dl>
)
