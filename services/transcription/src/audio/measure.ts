import { join } from 'node:path'
import { type Blobs, inSpan } from '@voxscribe/service'
import { stageSeconds } from '../metrics.ts'
import type { Detector } from './detector.ts'
import type { DiskBudget } from './disk-budget.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { fetchAudio, withFolder } from './workspace.ts'

interface Deps {
  blobs: Blobs
  ffmpeg: Ffmpeg
  detector: Detector
  disk: DiskBudget
}

/**
 * Decodes a note's sound once to find out its real length and whether anyone speaks. The samples are not kept:
 * reading them again from the original takes a hundredth of the time of listening to them, and there is one file
 * less to guard and to delete.
 */
export async function measure(
  { blobs, ffmpeg, detector, disk }: Deps,
  note: { objectKey: string | null; bytes: number; durationSeconds: number | null },
  signal: AbortSignal,
): Promise<{ durationSeconds: number; isSilent: boolean; levels: number[] }> {
  const ended = stageSeconds.startTimer({ stage: 'normalise' })
  const length = await inSpan('normalise', () =>
    disk.withRoom(note, signal, () =>
      withFolder(async folder => {
        const samples = join(folder, 'samples.raw')
        const audio = await fetchAudio(blobs, note.objectKey, folder, signal)
        const measured = await ffmpeg.decode(audio, { to: samples, signal })
        const speech = await detector.speechIn(samples, measured, signal)
        const levels = waveform(measured.levels)
        return { durationSeconds: measured.seconds, isSilent: !speech.length, levels }
      }),
    ),
  )
  ended()
  return length
}

/** Enough for a picture of the note. */
const LEVELS_KEPT = 400

/** The loudest of each stretch, 0 to 1 of the loudest of all, to two decimals. */
function waveform(levels: number[]): number[] {
  const loudest = levels.reduce((most, level) => Math.max(most, level), 1)
  const count = Math.min(LEVELS_KEPT, levels.length)
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * levels.length) / count)
    const to = Math.floor(((index + 1) * levels.length) / count)
    return Math.round((Math.max(...levels.slice(from, to)) / loudest) * 100) / 100
  })
}
