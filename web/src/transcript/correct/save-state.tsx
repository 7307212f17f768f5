import { Button } from '../../ui/button.tsx'
import type { Saving } from './use-corrections.ts'

/** Shows whether the corrections are saved. */
export function SaveState({ saving, onRetry }: { saving: Saving; onRetry(): void }) {
  if (typeof saving === 'string') {
    return (
      <span role="status" className="text-soft text-sm">
        {{ idle: '', saving: 'Saving…', saved: 'Saved' }[saving]}
      </span>
    )
  }
  return (
    <span role="alert" className="flex flex-wrap items-center gap-2 font-medium text-bad text-sm">
      Not saved: {saving.failed}
      <Button variant="secondary" size="small" onClick={onRetry}>
        Try again
      </Button>
    </span>
  )
}
