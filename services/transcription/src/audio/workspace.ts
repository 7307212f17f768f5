import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Blobs, type TemporaryPlace, temporaryPlace } from '@voxscribe/service'
import { Unworkable } from '../failure.ts'
import { AUDIO_GONE } from '../reasons.ts'

/** How the names of these folders begin. */
export const FOLDER_PREFIX = 'voxscribe-note-'

/** Makes a private folder for one piece of work. */
export async function newFolder(): Promise<TemporaryPlace> {
  const place = temporaryPlace(FOLDER_PREFIX)
  await mkdir(place.path, { mode: 0o700 })
  return place
}

/** Brings a stored file here: ffmpeg must be able to seek in it (an MP4 may have its index at the end). */
export async function fetchAudio(
  blobs: Blobs,
  objectKey: string | null,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  if (!objectKey || !(await blobs.exists(objectKey))) throw new Unworkable(AUDIO_GONE)
  const path = join(folder, 'original')
  await pipeline(await blobs.read(objectKey), createWriteStream(path), { signal })
  return path
}
