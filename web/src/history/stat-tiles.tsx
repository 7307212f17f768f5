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
  <dl className="mt-2 grid grid-cols-3 divide-x divide-line sm:mt-5">
    {(['total', 'completed', 'processing'] as const).map(name => (
      <div key={name} className="flex min-w-0 flex-wrap items-baseline gap-x-1 px-1.5 first:ps-0 sm:px-6">
        <dt className="text-soft text-xs capitalize sm:text-base">{name}</dt>
        <dd className="font-display font-semibold tabular-nums sm:text-xl">
          {statistics ? figure(statistics[name]) : failed ? '–' : <Skeleton className="h-5 w-8" />}
        </dd>
      </div>
    ))}
  </dl>
)
