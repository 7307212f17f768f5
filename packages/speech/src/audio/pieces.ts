import { createReadStream } from 'node:fs'
import { SAMPLE_RATE, type Span, STEPS_PER_SECOND } from './levels.ts'

/** Silence of this length isn't sent, except `KEPT_SECONDS` at each end. */
export const LONG_SILENCE_SECONDS = 2
const KEPT_SECONDS = 0.2
/** Engines refuse audio that is much shorter. */
export const SHORTEST_SECONDS = 1
/** Longer speech begins with short parts, for early first words; shorter speech takes 2 to 3 s as a whole. */
const LONG_SECONDS = 60
const FIRST_PARTS = [15, 30, 60, 120] as const
/** Last shares of a piece to search for a pause, in turn; without one, the quietest moment of the first decides. */
const LAST_SHARE = 0.5
const LAST_SHARE_OF_PAUSES = 0.75
/** Overlap of two pieces without a pause between them, so that each word is whole in one of them. */
export const OVERLAP_SECONDS = 2
/** A piece must be longer than its overlaps. */
export const SHORTEST_PART_SECONDS = 2 * OVERLAP_SECONDS
/** Steps on each side of a pause, which must be longer than a pause between syllables. */
const AROUND = 2

export interface SoundToCut {
  seconds: number
  /** Loudness of each 100 ms. */
  levels: number[]
  /** Spans of speech, in order. */
  speech: Iterable<Span> | AsyncIterable<Span>
}

export const lengthOfAll = (spans: Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0)

/** Cuts speech at its pauses into pieces, and groups these into parts, the first ones shorter. Deterministic. */
export async function* partsOf(
  sound: SoundToCut,
  { partSeconds, pieceSeconds }: { partSeconds: number; pieceSeconds?: number },
): AsyncGenerator<Span[], undefined> {
  const most = Math.max(partSeconds, SHORTEST_PART_SECONDS)
  const pieces = piecesOf(sound, Math.min(pieceSeconds ?? FIRST_PARTS[0], most))
  const first: Span[] = []
  // Overlaps count once.
  let spoken = 0
  while (spoken <= LONG_SECONDS) {
    const { value } = await pieces.next()
    if (!value) break
    spoken += value.to - Math.max(value.from, first.at(-1)?.to ?? 0)
    first.push(value)
  }
  const lengths = (spoken > LONG_SECONDS ? FIRST_PARTS : []).values()
  let longest = 0
  let part: Span[] = []
  for await (const piece of concatenated(first, pieces)) {
    const isFull = lengthOfAll(part) + piece.to - piece.from > longest
    if (isFull && part.length) yield part
    if (isFull) longest = Math.min(most, lengths.next().value ?? most)
    const last = isFull || pieceSeconds ? undefined : part.at(-1)
    if (last && piece.from <= last.to) last.to = piece.to
    else part = isFull ? [piece] : [...part, piece]
  }
  if (part.length) yield part
}

export async function* concatenated<T>(first: T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first
  yield* rest
}

/** Cuts speech into pieces that include its short pauses; none is shorter than a second, unless the whole sound is. */
async function* piecesOf(
  { speech, seconds, levels }: SoundToCut,
  longest: number,
): AsyncGenerator<Span, undefined> {
  let stretch: Span[] = []
  let begin: number | undefined

  /** Cuts the known part of a stretch. While the stretch may continue, a cut needs a second of speech after it. */
  function* cut(isOver: boolean): Generator<Span> {
    const [first, last] = [stretch[0], stretch.at(-1)]
    if (!first || !last) return
    const around = Math.max(KEPT_SECONDS, (SHORTEST_SECONDS - (last.to - first.from)) / 2)
    const to = isOver ? sample(Math.min(seconds, last.to + around)) : last.to - SHORTEST_SECONDS
    let from = begin ?? sample(Math.max(0, first.from - around))
    while (to - from > longest) {
      const latest = isOver ? Math.min(from + longest, to - SHORTEST_SECONDS) : from + longest
      const within = (share: number) => Math.min(from + longest * (1 - share), latest)
      const earliest = within(LAST_SHARE)
      const pause =
        pauseIn(stretch, earliest, latest) ?? pauseIn(stretch, within(LAST_SHARE_OF_PAUSES), earliest)
      const half = pause === undefined ? OVERLAP_SECONDS / 2 : 0
      const middle = pause ?? quietest(levels, earliest, latest - half)
      yield { from, to: sample(middle + half) }
      from = sample(middle - half)
      begin = from
    }
    if (isOver) yield { from, to }
  }

  for await (const span of speech) {
    if (span.from - (stretch.at(-1)?.to ?? span.from) >= LONG_SILENCE_SECONDS) {
      yield* cut(true)
      stretch = []
      begin = undefined
    }
    stretch.push(span)
    yield* cut(false)
  }
  yield* cut(true)
}

/** Rounds to whole samples, because borders are compared, stored, and used to find bytes. */
const sample = (second: number) => Math.round(second * SAMPLE_RATE) / SAMPLE_RATE

/** Returns the middle of the longest pause between two seconds; a short one is where two spans of speech meet. */
function pauseIn(speech: Span[], earliest: number, latest: number): number | undefined {
  let best: Span | undefined
  for (let at = 1; at < speech.length; at++) {
    const pause = { from: speech[at - 1]?.to ?? 0, to: speech[at]?.from ?? 0 }
    const middle = (pause.from + pause.to) / 2
    const isBetween = middle >= earliest && middle <= latest
    if (isBetween && (!best || pause.to - pause.from >= best.to - best.from)) best = pause
  }
  return best && (best.from + best.to) / 2
}

/** Returns the quietest moment between two seconds. */
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

/** Reads pieces of a file of samples in order, then pads them with silence to `SHORTEST_SECONDS`. */
export async function* readPieces(samples: string, pieces: Span[]): AsyncGenerator<Buffer> {
  const byte = (second: number) => Math.round(second * SAMPLE_RATE) * 2
  for (const piece of pieces) {
    yield* createReadStream(samples, { start: byte(piece.from), end: byte(piece.to) - 1 })
  }
  yield Buffer.alloc(byte(Math.max(0, SHORTEST_SECONDS - lengthOfAll(pieces))))
}
