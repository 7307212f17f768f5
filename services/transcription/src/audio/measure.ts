import { type Blobs, inSpan } from '@voxscribe/service'
import { stageSeconds } from '../metrics.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import type { Measured } from './levels.ts'
import { fetchAudio, withFolder } from './workspace.ts'

/**
 * Decodes a note's sound once to find out its real length and whether anyone speaks. The samples are not kept:
 * reading them again from the original takes a hundredth of the time of listening to them, and there is one file
 * less to guard and to delete.
 */
export async function measure(
  { blobs, ffmpeg }: { blobs: Blobs; ffmpeg: Ffmpeg },
  { objectKey }: { objectKey: string | null },
  signal: AbortSignal,
): Promise<Measured> {
  const ended = stageSeconds.startTimer({ stage: 'normalise' })
  const measured = await inSpan('normalise', () =>
    withFolder(async folder => ffmpeg.decode(await fetchAudio(blobs, objectKey, folder, signal), { signal })),
  )
  ended()
  return measured
}

/** What a note keeps of it. */
export const lengthOf = ({ seconds, isSilent }: Measured) => ({ durationSeconds: seconds, isSilent })
