import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Blobs } from '@voxscribe/service'
import { Unworkable } from '../failure.ts'
import { AUDIO_GONE } from '../reasons.ts'

/** How the names of these folders begin. */
export const FOLDER_PREFIX = 'voxscribe-note-'

/** A folder for one piece of work. */
export interface Workspace {
  folder: string
  remove(): Promise<void>
}

export async function newFolder(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), FOLDER_PREFIX))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
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
