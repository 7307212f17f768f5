import { createHmac } from 'node:crypto'
import { isSame, newSecret } from '@voxscribe/service'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'

const LASTS_MS = 600_000

/** Signs links to audio that work without a header for 10 minutes. The note's own key signs note, person and expiry. */
export function createAudioLinks(notes: Notes) {
  const signed = (key: string, { _id, userId }: NoteRecord, expires: number) =>
    createHmac('sha256', key).update(`${_id} ${userId} ${expires}`).digest('base64url')

  return {
    /** Returns the link; null if the audio is gone. */
    async addressOf(note: NoteRecord): Promise<string | null> {
      if (!note.objectKey) return null
      const key = note.audioKey ?? (await notes.keyOf(note._id, newSecret()))
      if (!key) return null
      const expires = Date.now() + LASTS_MS
      return `/api/transcriptions/${note._id}/audio?token=${expires}.${signed(key, note, expires)}`
    },
    isValid(note: NoteRecord, token: string): boolean {
      const [expires = '', signature = ''] = token.split('.')
      if (!note.audioKey || !(Number(expires) > Date.now())) return false
      return isSame(signature, signed(note.audioKey, note, Number(expires)))
    },
  }
}
