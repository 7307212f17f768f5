import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { librivox } from './recordings.ts'
import { ffmpeg } from './sound.ts'

const DATA = '/usr/share/pocketsphinx/test/data'
const man = (name: string) => ['-f', 's16le', '-ar', '16000', '-ac', '1', '-i', `${DATA}/${name}.raw`]

/** An interview of half a minute per round: a woman reads, and a man gives orders between her sentences. */
export async function interview(folder: string, channels: 1 | 2, rounds = 1): Promise<string> {
  const [one, two, three] = librivox().map(({ path }) => ['-i', path])
  const turns = [one, man('numbers'), two, man('something'), three, man('goforward')]
  const inputs = turns.flatMap(turn => turn ?? [])
  // Even turns are on the left, odd ones on the right; each side is silent while the other speaks.
  const sides = turns.map((_, at) =>
    channels === 1
      ? `[${at}]aresample=16000,loudnorm,aformat=channel_layouts=mono[t${at}]`
      : `[${at}]aresample=16000,loudnorm,pan=stereo|${at % 2 ? 'c0=0*c0|c1=c0' : 'c0=c0|c1=0*c0'}[t${at}]`,
  )
  const graph = `${sides.join(';')};${turns.map((_, at) => `[t${at}]`).join('')}concat=n=${turns.length}:v=0:a=1`
  const path = join(folder, `interview-${channels}-${rounds}.flac`)
  if (existsSync(path)) return path
  if (rounds === 1) await ffmpeg(...inputs, '-filter_complex', graph, '-ar', '16000', path)
  else await ffmpeg('-stream_loop', `${rounds - 1}`, '-i', await interview(folder, channels), path)
  return path
}

/** Six voices of three seconds each: two people, each also at a higher and a lower pitch. */
export async function readers(folder: string): Promise<string> {
  const [one] = librivox().map(({ path }) => ['-i', path])
  const inputs = [one ?? [], man('numbers')]
  const pitches = [1, 1.3, 0.78]
  const cuts = pitches.flatMap(pitch =>
    inputs.map(
      (_, at) =>
        `[${at}]aresample=16000,atrim=0:${3.2 * pitch},asetrate=${16_000 * pitch},aresample=16000,loudnorm,aformat=channel_layouts=mono[v${pitch}${at}]`,
    ),
  )
  const names = pitches.flatMap(pitch => inputs.map((_, at) => `[v${pitch}${at}]`))
  const path = join(folder, 'readers.flac')
  const graph = `${cuts.join(';').replace(/(\[\d\])/g, '$1')};${names.join('')}concat=n=${names.length}:v=0:a=1`
  await ffmpeg(...inputs.flat(), '-filter_complex', graph, '-ar', '16000', path)
  return path
}

/** Applies an ffmpeg filter to a file. */
export async function changed(from: string, filter: string, to: string): Promise<string> {
  await ffmpeg('-i', from, '-filter_complex', filter, '-ar', '16000', to)
  return to
}
