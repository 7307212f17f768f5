import { stat } from 'node:fs/promises'
import { type Blobs, playedKeyOf } from '@voxscribe/service'
import type { Clip } from '@voxscribe/speech'
import type { NoteRecord, Played } from './record.ts'

/** MIME type of an encoded clip. */
const ENCODED = 'audio/ogg'

export type StorePlayed = ReturnType<typeof createStorePlayed>

/** Stores the copy for players next to a note's file; they are deleted together. */
export const createStorePlayed =
  (blobs: Pick<Blobs, 'putFile' | 'exists' | 'delete'>) =>
  async ({ objectKey, mime }: NoteRecord, { path, isCopy }: Clip): Promise<Played | null> => {
    if (!objectKey) return null
    const { size: bytes } = await stat(path)
    await blobs.putFile(playedKeyOf(objectKey), path, bytes)
    // The file may have been deleted in the meantime; then its copy must go, too.
    if (!(await blobs.exists(objectKey))) await blobs.delete(objectKey)
    return { bytes, mime: isCopy ? mime : ENCODED }
  }

/** A stored file to send. */
export interface Audio extends Played, Pick<NoteRecord, 'fileName' | 'sha256'> {
  key: string
}

/** Returns the original file or, for players, its copy if there is one; null if the file is gone. */
export function audioOf(note: NoteRecord, isForPlayers: boolean): Audio | null {
  const { objectKey, played, bytes, mime, fileName, sha256 } = note
  if (!objectKey) return null
  if (!played || !isForPlayers) return { key: objectKey, bytes, mime, fileName, sha256 }
  return { ...played, key: playedKeyOf(objectKey), fileName, sha256: sha256 && `${sha256}-played` }
}
