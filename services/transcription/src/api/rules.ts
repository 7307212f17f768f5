import type { Conversation } from '@voxscribe/contracts/http'
import { type Blobs, type ClosedAccounts, type RateLimits, refusal } from '@voxscribe/service'
import type { Voices } from '@voxscribe/speech'
import { createExporting } from '../export/export.ts'
import type { OneExport } from '../export/one-export.ts'
import type { OwnWordsStore } from '../note/own-words.ts'
import type { NoteRecord } from '../note/record.ts'
import { createRepeats, type Repeats } from '../note/repeats.ts'
import type { RefreshOptions } from '../note/results.ts'
import type { ShareRecord } from '../note/shares.ts'
import type { Notes } from '../note/store.ts'
import { createHistory } from '../pages/history.ts'
import { partialOf } from '../pages/partial.ts'
import type { Samples } from '../pages/sample/sample.ts'
import { createSharing } from '../pages/sharing.ts'
import { createAsking } from '../text/ask.ts'
import type { OpenWork } from '../work.ts'
import type { Deletion } from './deleting.ts'
import { createFindingSpeakers } from './speakers.ts'

interface Deps {
  work: OpenWork
  deletion: Deletion
  samples: Samples
  voices: Voices
  blobs: Blobs
  closed: Pick<ClosedAccounts, 'has' | 'passwordGenerationOf'>
  beginExport: OneExport
  ownWords: Pick<OwnWordsStore, 'forUser'>
  rateLimits: RateLimits
  publicUrl: string
  hasConversations(userId: string): Promise<boolean>
  conversationBy(share: ShareRecord): Promise<Conversation | null>
}

/** Rules for all that a person does with notes, shared by API calls and chat commands. */
export function createRules({ work, deletion, samples, ...deps }: Deps) {
  const { blobs, closed, beginExport, ownWords, rateLimits, publicUrl } = deps
  const { notes, repeats } = work
  return {
    ...work,
    deletion,
    samples,
    ask: createAsking({ ...work, rateLimits }),
    history: createHistory(notes.model, rateLimits, deps.hasConversations),
    refresh: createRefreshing(notes, blobs, repeats),
    findSpeakers: createFindingSpeakers({ ...deps, ...work, repeats: createRepeats(rateLimits, 'speakers') }),
    exportNote: createExporting(notes, beginExport, publicUrl),
    sharing: createSharing(notes, blobs, closed, publicUrl, deps.conversationBy),
    async textSoFar(note: NoteRecord) {
      const isBegun = note.status === 'processing' && note.parts?.length
      return isBegun ? partialOf(note, (await ownWords.forUser(note.userId)).replacements) : null
    },
  }
}
export type Rules = ReturnType<typeof createRules>

/** Transcribes a note again, free. Throws 409 while it is in progress, 410 without audio, 429 beyond the limits. */
function createRefreshing(notes: Notes, blobs: Blobs, repeats: Repeats) {
  return async (note: NoteRecord, wanted: RefreshOptions): Promise<NoteRecord> => {
    if (note.status === 'processing') throw refusal('already_processing')
    if (!note.objectKey || !(await blobs.exists(note.objectKey))) throw refusal('no_audio')
    await repeats.count(note.userId, note._id)
    const refreshed = await notes.refreshed(note, wanted)
    if (refreshed) return refreshed
    // Another change came first.
    await repeats.giveBack(note.userId, note._id)
    throw refusal('already_processing')
  }
}
