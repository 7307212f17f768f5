import { Card } from '../ui/card.tsx'
import { SaysLoading, Skeleton } from '../ui/skeleton.tsx'

export const HistorySkeleton = () => (
  <div className="grid gap-4">
    <SaysLoading />
    {['first', 'second', 'third'].map(name => (
      <Card key={name} data-testid="skeleton-card" className="grid gap-3">
        <Skeleton className="h-6 w-56 max-w-full" />
        <Skeleton className="h-4 w-40" />
        <Skeleton className="mt-2 h-16" />
      </Card>
    ))}
  </div>
)
