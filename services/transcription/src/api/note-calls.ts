import type { OwnWords } from '@voxscribe/contracts/http'
import type { Blobs, Closed, RateLimits } from '@voxscribe/service'
import { createExporting } from '../export/exporting.ts'
import type { OneExport } from '../export/one-export.ts'
import { createHistory } from '../pages/history.ts'
import { createSharing } from '../share/sharing.ts'
import type { OpenWork } from '../workers.ts'
import { createDeleting } from './deleting.ts'
import { createRefreshing } from './refreshing.ts'
import { createSuggesting } from './suggesting.ts'

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
    exportNote: createExporting(notes, beginExport, publicUrl),
    sharing: createSharing(notes, blobs, closed, publicUrl),
    suggestionFor: createSuggesting(notes, ownWordsOf),
  }
}
export type Rules = ReturnType<typeof createRules>
