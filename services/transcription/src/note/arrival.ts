import type { EventOf } from '@voxscribe/contracts/events'
import { foundByOf, listedLanguageOf } from './found-by.ts'
import type { NoteRecord, Work } from './record.ts'
import type { Transitions } from './transitions.ts'

/** The beginnings of a note. */
export function createArrivals({ insert, take }: Transitions) {
  return {
    /**
     * Stores a note whose file has come, with the work that it needs first. One that had failed because its file could
     * not be fetched begins again. Null when it has begun before.
     */
    async received(
      { data, traceId, occurredAt }: EventOf<'MediaReceived'>,
      work: Work,
    ): Promise<NoteRecord | null> {
      const { mediaId: _id, receivedAt = occurredAt, ...facts } = data
      const { title = null, fileName, language, objectKey, bytes, sha256 } = facts
      const note = await insert('received', {
        _id,
        traceId,
        ...facts,
        words: foundByOf({ text: '', title, fileName }),
        listedLanguage: listedLanguageOf({ spokenLanguage: null, language }),
        work,
        timeline: [
          { step: 'received', at: new Date(receivedAt), detail: null },
          { step: 'fetched', at: new Date(occurredAt), detail: null },
        ],
      })
      const change = { error: null, objectKey, bytes, sha256, work }
      const where = { 'error.code': 'download_failed' }
      return note ?? take('receivedLate', { _id, attempt: 1 }, change, { where })
    },

    /** A file that was refused is a record too, so that the person sees why. */
    async rejected({ data, traceId }: EventOf<'MediaRejected'>): Promise<void> {
      const { mediaId: _id, reason: error, ...facts } = data
      const language = 'auto'
      const words = foundByOf({ text: '', title: null, fileName: facts.fileName })
      const unheard = { language, listedLanguage: language, words, objectKey: null }
      await insert('refused', { _id, traceId, ...facts, ...unheard, error })
    },
  }
}
