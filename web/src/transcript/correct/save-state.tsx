import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import type { Corrections } from './use-corrections.ts'

export const SaveState = ({ saving, retry }: Corrections) =>
  typeof saving === 'string' ? (
    <span role="status" className="text-soft text-sm">
      {{ idle: '', saving: 'Saving…', saved: 'Saved' }[saving]}
    </span>
  ) : (
    <span role="alert" className="flex flex-wrap items-center gap-2 font-medium text-bad text-sm">
      Not saved: {saving.failed}
      <Button variant="secondary" size="small" onClick={retry}>
        Try again
      </Button>
    </span>
  )

/** Shows both versions of a passage that was changed in two places, and offers the choice. */
export const Conflicts = ({ conflicts, keepMine, keepTheirs }: Corrections) =>
  conflicts.map(conflict => (
    <Banner
      key={`${conflict.id} ${conflict.after}`}
      tone="warning"
      className="mt-2"
      action={
        <div className="flex flex-wrap gap-2">
          {conflict.theirs !== null && (
            <Button size="small" onClick={() => keepMine(conflict)}>
              Use mine
            </Button>
          )}
          <Button size="small" variant="secondary" onClick={() => keepTheirs(conflict)}>
            Keep the other
          </Button>
        </div>
      }
    >
      This passage was changed in another tab while you were editing it.
      <dl className="mt-2 grid gap-1 font-normal text-ink">
        <dt className="font-semibold">Yours</dt>
        <dd dir="auto">{conflict.after}</dd>
        <dt className="font-semibold">The other</dt>
        <dd dir="auto">{conflict.theirs ?? 'The passage no longer exists.'}</dd>
      </dl>
    </Banner>
  ))
