import { api } from '@voxscribe/contracts/http'
import { type Blobs, conflict, gone, implement, notFound, type Route } from '@voxscribe/service'
import { createHistory, shown } from './note/history.ts'
import type { InHand } from './note/in-hand.ts'
import type { Notes } from './note/store.ts'

interface Deps {
  notes: Notes
  blobs: Blobs
  inHand: InHand
}

const missing = () => notFound('There is no such transcription.')
const busy = () => conflict('This note is being transcribed already.', 'already_processing')
const noAudio = () =>
  gone('There is no audio of this note to transcribe again. Please send it once more.', 'no_audio')

export function transcriptionRoutes({ notes, blobs, inHand }: Deps): Route[] {
  const history = createHistory(notes.model)
  return [
    implement(api.transcriptionStats, async ({ userId }) => ({ data: await history.stats(userId) })),
    implement(api.transcriptions, async ({ userId, query }) => ({ data: await history.page(userId, query) })),

    implement(api.deleteTranscription, async ({ userId, params }) => {
      const note = await notes.deleted(params.id, userId)
      if (!note) throw missing()
      inHand.stop(note._id)
      return { data: null, message: 'Transcription deleted' }
    }),

    /** The text of before stays until there is a new one. Billing knows the medium: it is not charged again. */
    implement(api.refreshTranscription, async ({ userId, params }) => {
      const note = await notes.byId(params.id)
      if (!note || note.deletedAt || note.userId !== userId) throw missing()
      if (note.status === 'processing') throw busy()
      if (!note.objectKey || !(await blobs.exists(note.objectKey))) throw noAudio()
      const refreshed = await notes.refreshed(note, note.language, note.refreshedAt)
      if (!refreshed) throw busy()
      return { data: { transcription: shown(refreshed) }, message: 'The note is being transcribed again' }
    }),
  ]
}
