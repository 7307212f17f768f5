import { FAINTEST, loudestOf, type Span, STEPS_PER_SECOND } from '../audio/levels.ts'
import type { Sides } from '../audio/mixing.ts'
import type { Turn } from './turns.ts'

// Two channels that say different things are two people. Most files of two channels hold one sound twice, or one person a
// little to the left: the channels are compared by how loud they are at each moment of speech, never by the format.

/** A channel this much fainter than the other one holds only what comes through from there. */
const MOST_APART = 10 ** (20 / 20)
/** One side speaks where it is this much louder, when both are as loud in all. */
const LOUDER = 10 ** (9 / 20)
/** Moments this far below the loudest of a side are its pauses. */
const PAUSE = 10 ** (-20 / 20)
/** Loudness that goes together this closely is one sound, also with a delay of up to half a second between the sides. */
const TOGETHER = 0.6
const MOST_DELAY = STEPS_PER_SECOND / 2
/** Least share of the speech, and steps, of each side. */
const LEAST_SHARE = 0.03
const LEAST_STEPS = 5
/** A shorter turn is the end of a word, or a breath. */
const SHORTEST_STEPS = 3

/** Returns who speaks when, the left side as "1"; null where both sides hold the same, or one of them nobody. */
export function turnsOfSides([left, right]: Sides, speech: readonly Span[]): Turn[] | null {
  const loudest = [left, right].map(loudestOf)
  const [most, least] = [Math.max(...loudest), Math.min(...loudest)]
  if (least < FAINTEST || most > least * MOST_APART) return null
  const evened = [left, right].map((levels, side) => levels.map(level => level / (loudest[side] ?? 1)))
  const steps = speech.flatMap(({ from, to }) => {
    const first = Math.floor(from * STEPS_PER_SECOND)
    const last = Math.min(left.length, Math.ceil(to * STEPS_PER_SECOND))
    return Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  })
  const at = (side: number, step: number) => evened[side]?.[step] ?? 0
  if (agreement(at, [...new Set(steps)]) > TOGETHER) return null
  const sideAt = (step: number) =>
    [0, 1].find(side => at(side, step) > PAUSE && at(side, step) > at(1 - side, step) * LOUDER)
  const counts = [0, 1].map(side => steps.filter(step => sideAt(step) === side).length)
  const enough = Math.max(LEAST_STEPS, LEAST_SHARE * ((counts[0] ?? 0) + (counts[1] ?? 0)))
  return counts.every(count => count >= enough) ? runsOf(steps, sideAt) : null
}

/** Closest correlation of the two sides' loudness, over the delays that an echo may have. */
function agreement(at: (side: number, step: number) => number, steps: number[]): number {
  let closest = -1
  for (let delay = -MOST_DELAY; delay <= MOST_DELAY; delay++) {
    const pairs = steps.map(step => [at(0, step), at(1, step + delay)] as const)
    const mean = (side: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[side], 0) / pairs.length
    const [meanLeft, meanRight] = [mean(0), mean(1)]
    let [product, squaresLeft, squaresRight] = [0, 0, 0]
    for (const [one, other] of pairs) {
      product += (one - meanLeft) * (other - meanRight)
      squaresLeft += (one - meanLeft) ** 2
      squaresRight += (other - meanRight) ** 2
    }
    closest = Math.max(closest, product / Math.sqrt(squaresLeft * squaresRight || 1))
  }
  return closest
}

function runsOf(steps: number[], sideAt: (step: number) => number | undefined): Turn[] {
  const runs: { side: number; steps: number[] }[] = []
  for (const step of steps) {
    const last = runs.at(-1)
    const side = sideAt(step) ?? last?.side
    if (side === undefined) continue
    if (last?.side === side) last.steps.push(step)
    else runs.push({ side, steps: [step] })
  }
  const kept: typeof runs = []
  for (const run of runs) {
    const last = kept.at(-1)
    if (last && (last.side === run.side || run.steps.length < SHORTEST_STEPS)) last.steps.push(...run.steps)
    else kept.push(run)
  }
  return kept.map(({ side, steps }) => ({
    from: (steps[0] ?? 0) / STEPS_PER_SECOND,
    to: ((steps.at(-1) ?? 0) + 1) / STEPS_PER_SECOND,
    speaker: String(side + 1),
  }))
}
