import { createReadStream } from 'node:fs'
import { SAMPLE_RATE, type Span, STEPS_PER_SECOND } from './levels.ts'

/** Silence of this length is not sent, except `KEPT_SECONDS` at each border. */
const LONG_SILENCE_SECONDS = 2
const KEPT_SECONDS = 0.2
/** Engines refuse much shorter audio. */
export const SHORTEST_SECONDS = 1
/** Speech from this length on begins with short parts, so that its first words are there soon. */
const LONG_SECONDS = 60
const FIRST_PARTS = [15, 30, 60, 120]
/** Last shares of a piece that are searched for a pause in turn; without one, loudness decides in the first of them. */
const LAST_SHARE = 0.5
const LAST_SHARE_OF_PAUSES = 0.75
/** Overlap of two pieces without a pause between them: each word is whole in one of them. */
const OVERLAP_SECONDS = 2
/** Steps on each side of a pause, which must be longer than one between syllables. */
const AROUND = 2

export interface Sound {
  seconds: number
  /** Loudness of each tenth of a second. */
  levels: number[]
  /** Spans of speech, in order. */
  speech: Span[]
}

export const lengthOfAll = (spans: Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0)

/**
 * Cuts speech into pieces of at most `pieceSeconds`, inside its pauses, and groups them into parts of at most
 * `partSeconds`; of long speech in short pieces, the first parts are shorter. Pieces without a pause between them
 * overlap. Deterministic.
 */
export function partsOf(
  sound: Sound,
  { partSeconds, pieceSeconds = partSeconds }: { partSeconds: number; pieceSeconds?: number },
): Span[][] {
  const pieces = stretchesOf(sound).flatMap(stretch => cut(stretch, sound, pieceSeconds))
  const parts: Span[][] = []
  const grows = pieceSeconds < partSeconds && lengthOfAll(pieces) > LONG_SECONDS
  for (const piece of pieces) {
    const part = parts.at(-1)
    const longest = Math.min(partSeconds, (grows && FIRST_PARTS[parts.length - 1]) || partSeconds)
    if (part && lengthOfAll(part) + piece.to - piece.from <= longest) part.push(piece)
    else parts.push([piece])
  }
  return parts
}

/** Speech with its short pauses, none shorter than a second (where the sound is not). */
function stretchesOf({ speech, seconds }: Sound): Span[] {
  const stretches: Span[] = []
  for (const { from, to } of speech) {
    const last = stretches.at(-1)
    if (last && from - last.to < LONG_SILENCE_SECONDS) last.to = Math.max(last.to, to)
    else stretches.push({ from, to })
  }
  return stretches.map(({ from, to }) => {
    const short = Math.max(0, SHORTEST_SECONDS - (to - from)) / 2
    const around = Math.max(KEPT_SECONDS, short)
    return { from: sample(Math.max(0, from - around)), to: sample(Math.min(seconds, to + around)) }
  })
}

/** On the grid of samples: borders are compared, stored, and used to find bytes. */
const sample = (second: number) => Math.round(second * SAMPLE_RATE) / SAMPLE_RATE

function cut(stretch: Span, sound: Sound, longest: number): Span[] {
  const pieces: Span[] = []
  let { from } = stretch
  while (stretch.to - from > longest) {
    const latest = Math.min(from + longest, stretch.to - SHORTEST_SECONDS)
    const within = (share: number) => Math.min(from + longest * (1 - share), latest)
    const earliest = within(LAST_SHARE)
    const pause =
      pauseIn(sound.speech, earliest, latest) ?? pauseIn(sound.speech, within(LAST_SHARE_OF_PAUSES), earliest)
    const half = pause === undefined ? OVERLAP_SECONDS / 2 : 0
    const middle = pause ?? quietest(sound.levels, earliest, latest - half)
    pieces.push({ from, to: sample(middle + half) })
    from = sample(middle - half)
  }
  return [...pieces, { from, to: stretch.to }]
}

/** The middle of the longest pause between two seconds; a short one is where two spans of speech meet. */
function pauseIn(speech: Span[], earliest: number, latest: number): number | undefined {
  let best: Span | undefined
  for (let at = 1; at < speech.length; at++) {
    const pause = { from: speech[at - 1]?.to ?? 0, to: speech[at]?.from ?? 0 }
    const middle = (pause.from + pause.to) / 2
    const isIn = middle >= earliest && middle <= latest
    if (isIn && (!best || pause.to - pause.from >= best.to - best.from)) best = pause
  }
  return best && (best.from + best.to) / 2
}

/** The quietest moment between two seconds. */
export function quietest(levels: number[], earliest: number, latest: number): number {
  let best = latest
  let least = Number.POSITIVE_INFINITY
  const first = Math.ceil(earliest * STEPS_PER_SECOND)
  for (let step = first; step <= latest * STEPS_PER_SECOND; step++) {
    const around = levels.slice(Math.max(0, step - AROUND), step + AROUND)
    const loudness = around.reduce((sum, level) => sum + level, 0) / Math.max(1, around.length)
    if (loudness <= least) {
      least = loudness
      best = step / STEPS_PER_SECOND
    }
  }
  return best
}

/** Reads pieces of a file of samples in order, and pads them with silence to `SHORTEST_SECONDS`. */
export async function* readPieces(samples: string, pieces: Span[]): AsyncGenerator<Buffer> {
  const byte = (second: number) => Math.round(second * SAMPLE_RATE) * 2
  for (const piece of pieces) {
    yield* createReadStream(samples, { start: byte(piece.from), end: byte(piece.to) - 1 })
  }
  yield Buffer.alloc(byte(Math.max(0, SHORTEST_SECONDS - lengthOfAll(pieces))))
}
