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
      const { mediaId: _id, userId, source, fileName, title = null, mime, bytes, objectKey, language } = data
      const { country = null, sha256 } = data
      const note = await insert('received', {
        _id,
        userId,
        traceId,
        source,
        fileName,
        title,
        mime,
        bytes,
        language,
        country,
        objectKey,
        sha256,
        words: foundByOf({ text: '', title, fileName }),
        listedLanguage: listedLanguageOf({ spokenLanguage: null, language }),
        work,
        timeline: [
          { step: 'received', at: new Date(data.receivedAt ?? occurredAt), detail: null },
          { step: 'fetched', at: new Date(occurredAt), detail: null },
        ],
      })
      const change = { error: null, objectKey, bytes, sha256, work }
      const where = { 'error.code': 'download_failed' }
      return note ?? take('receivedLate', { _id, attempt: 1 }, change, { where })
    },

    /** A file that was refused is a record too, so that the person sees why. */
    async rejected({ data, traceId }: EventOf<'MediaRejected'>): Promise<void> {
      const { mediaId: _id, userId, source, fileName, bytes, reason: error } = data
      const language = 'auto'
      await insert('refused', {
        _id,
        userId,
        traceId,
        source,
        fileName,
        bytes,
        language,
        listedLanguage: language,
        words: foundByOf({ text: '', title: null, fileName }),
        error,
        objectKey: null,
      })
    },
  }
}
