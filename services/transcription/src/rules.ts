import type { OwnWords } from '@voxscribe/contracts/http'
import type { Blobs, Closed, RateLimits } from '@voxscribe/service'
import { createHistory } from './list/history.ts'
import { createDeleting } from './page/deleting.ts'
import { createExporting } from './page/exporting.ts'
import type { OneExport } from './page/one-export.ts'
import { createRefreshing } from './page/refreshing.ts'
import { createSharing } from './page/sharing.ts'
import { createSuggesting } from './page/suggesting.ts'
import type { OpenWork } from './work/room.ts'

interface Deps {
  work: Pick<OpenWork, 'notes' | 'repeats' | 'gists' | 'translations'>
  blobs: Blobs
  closed: Pick<Closed, 'has' | 'passwordGenerationOf'>
  beginExport: OneExport
  ownWordsOf(userId: string): Promise<OwnWords>
  rateLimits: RateLimits
  publicUrl: string
}

/** Everything that a person does with notes: calls and commands of the chat go by the same rules. */
export function createRules({ work, blobs, closed, beginExport, ownWordsOf, rateLimits, publicUrl }: Deps) {
  const { notes, repeats, gists, translations } = work
  return {
    notes,
    gists,
    translations,
    history: createHistory(notes.model),
    refresh: createRefreshing(notes, blobs, repeats),
    deletion: createDeleting(notes, rateLimits),
    exportNote: createExporting(notes, beginExport),
    sharing: createSharing(notes, blobs, closed, publicUrl),
    suggestionFor: createSuggesting(notes, ownWordsOf),
  }
}
export type Rules = ReturnType<typeof createRules>
