import { join } from 'node:path'
import { type Blobs, inSpan } from '@voxscribe/service'
import { stageSeconds } from '../metrics.ts'
import type { Detector } from './detector.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { fetchAudio, withFolder } from './workspace.ts'

/**
 * Decodes a note's sound once to find out its real length and whether anyone speaks. The samples are not kept:
 * reading them again from the original takes a hundredth of the time of listening to them, and there is one file
 * less to guard and to delete.
 */
export async function measure(
  { blobs, ffmpeg, detector }: { blobs: Blobs; ffmpeg: Ffmpeg; detector: Detector },
  { objectKey }: { objectKey: string | null },
  signal: AbortSignal,
): Promise<{ durationSeconds: number; isSilent: boolean }> {
  const ended = stageSeconds.startTimer({ stage: 'normalise' })
  const length = await inSpan('normalise', () =>
    withFolder(async folder => {
      const samples = join(folder, 'samples.raw')
      const audio = await fetchAudio(blobs, objectKey, folder, signal)
      const measured = await ffmpeg.decode(audio, { to: samples, signal })
      const speech = await detector.speechIn(samples, measured, signal)
      return { durationSeconds: measured.seconds, isSilent: !speech.length }
    }),
  )
  ended()
  return length
}
