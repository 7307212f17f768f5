import { FAINTEST, loudestOf, type Span, STEPS_PER_SECOND } from '../audio/levels.ts'
import type { Sides } from '../audio/mixing.ts'
import type { SpeakerTurn } from './speaker-turns.ts'

// Two channels that say different things are two people. Most stereo files have the same sound on both, or one person
// slightly to the left, so the channels are compared by loudness at each moment of speech, never by format.

/** A channel this much fainter than the other contains only crosstalk. */
const CROSSTALK = 10 ** (20 / 20)
/** One side speaks where it is this much louder, after both have been leveled. */
const LOUDER = 10 ** (9 / 20)
/** Moments this far below the loudest of a side are pauses. */
const PAUSE = 10 ** (-20 / 20)
/** At this correlation of loudness, both sides are one sound, even with a delay of up to half a second between them. */
const TOGETHER = 0.6
const DELAY_MAX = STEPS_PER_SECOND / 2
/** Minimum of each side: a share of the speech, and steps. */
const SHARE_MIN = 0.03
const STEPS_MIN = 5
/** A shorter turn is the end of a word or a breath. */
const SHORTEST_STEPS = 3

/** Returns who speaks when, the left side as "1"; null if both sides have the same sound, or one has nobody. */
export function turnsOfSides([left, right]: Sides, speech: readonly Span[]): SpeakerTurn[] | null {
  const loudest = [left, right].map(loudestOf)
  const [most, least] = [Math.max(...loudest), Math.min(...loudest)]
  if (least < FAINTEST || most > least * CROSSTALK) return null
  const evened = [left, right].map((levels, side) =>
    Float64Array.from(levels, level => level / (loudest[side] ?? 1)),
  )
  const [one, other] = evened as [Float64Array, Float64Array]
  const steps = speech.flatMap(({ from, to }) => {
    const first = Math.floor(from * STEPS_PER_SECOND)
    const last = Math.min(left.length, Math.ceil(to * STEPS_PER_SECOND))
    return Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index)
  })
  if (agreement(one, other, steps) > TOGETHER) return null
  const speaking = steps.map(step => {
    const [mine, theirs] = [one[step] ?? 0, other[step] ?? 0]
    if (mine > PAUSE && mine > theirs * LOUDER) return 0
    return theirs > PAUSE && theirs > mine * LOUDER ? 1 : undefined
  })
  const counts = [0, 1].map(side => speaking.filter(each => each === side).length)
  const enough = Math.max(STEPS_MIN, SHARE_MIN * ((counts[0] ?? 0) + (counts[1] ?? 0)))
  return counts.every(count => count >= enough) ? runsOf(steps, speaking) : null
}

/** Returns the closest correlation of the sides' loudness, over the delays that an echo may have. */
function agreement(one: Float64Array, other: Float64Array, steps: number[]): number {
  let closest = -1
  for (let delay = -DELAY_MAX; delay <= DELAY_MAX; delay++) {
    let [left, right, product, squaresLeft, squaresRight] = [0, 0, 0, 0, 0]
    for (const step of steps) {
      const mine = one[step] ?? 0
      const theirs = other[step + delay] ?? 0
      left += mine
      right += theirs
      product += mine * theirs
      squaresLeft += mine * mine
      squaresRight += theirs * theirs
    }
    const count = steps.length || 1
    const spreads = (squaresLeft - (left * left) / count) * (squaresRight - (right * right) / count)
    closest = Math.max(closest, (product - (left * right) / count) / Math.sqrt(spreads > 0 ? spreads : 1))
  }
  return closest
}

function runsOf(steps: number[], speaking: (number | undefined)[]): SpeakerTurn[] {
  const runs: { side: number; steps: number[] }[] = []
  for (const [at, step] of steps.entries()) {
    const last = runs.at(-1)
    const side = speaking[at] ?? last?.side
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
