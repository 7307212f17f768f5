import type { OwnWords } from '@voxscribe/contracts/http'
import { OWN_WORDS_MAX } from '@voxscribe/contracts/limits'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import type { Replacement } from '../words/corrections.ts'

/**
 * Returns a correction that this note shares with another one, to be offered as a replacement. Null without one, for
 * words that are replaced already, after a no, and when there is no room.
 */
export const createSuggesting =
  (notes: Notes, ownWordsOf: (userId: string) => Promise<OwnWords>) =>
  async (note: NoteRecord): Promise<Replacement | null> => {
    if (!note.corrections?.length) return null
    const { replacements, declined = [] } = await ownWordsOf(note.userId)
    if (replacements.length >= OWN_WORDS_MAX) return null
    const isSettled = ({ heard, write }: Replacement) =>
      replacements.some(known => known.heard === heard) ||
      declined.some(known => known.heard === heard && known.write === write)
    const open = note.corrections.filter(pair => !isSettled(pair))
    return (await notes.sharedCorrection(note, open)) ?? null
  }
