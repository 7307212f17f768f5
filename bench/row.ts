/** Mark that a figure is to reach, beside its baseline or by itself. */
export type Goal =
  | { ratioAtMost: number }
  | { ratioAtLeast: number }
  /** Beyond the baseline, in the figure's unit. */
  | { addedAtMost: number }
  | { atMost: number }

export interface Figure {
  name: string
  unit: 'ms' | 'MB' | 'B' | '/s' | ''
  goal: Goal
  /** The figure that issue and discussion began with. */
  before: string
  /** Obstacle to a goal that is missed, by profile. */
  inTheWay?: string
}

/** One measurement: a value for each figure of the row, in their order. */
export type Measure = () => Promise<number[]>

/** Both sides of a row, ready to be measured again and again. */
export interface Sides {
  ours: Measure
  /** None where the goal needs no baseline. */
  plain?: Measure
  close(): Promise<void>
}

/** One line of `docs/performance.md`: the system beside a baseline of plain parts, measured in turns. */
export interface Row {
  /** For `--only`. */
  name: string
  title: string
  baseline: string
  figures: Figure[]
  /** Time for seven pairs, with starting and stopping, on a quiet machine of two cores. */
  seconds: number
  /** Measurements where there is no baseline to pair them with. */
  times?: number
  open(): Promise<Sides>
}

export interface FigureResult extends Figure {
  ours: number
  plain: number | null
  /** Value that the goal is about: the ratio, what is added, or the figure itself. */
  compared: number
  /** Of what is compared, in the pairs. */
  least: number
  most: number
  met: boolean
}

/** A row's figures, without what they are about. */
export interface Measured {
  pairs: number
  /** Every other baseline over those in between, by medians; null without a baseline. */
  twins: number | null
  figures: FigureResult[]
  /** Why the row counts for nothing. */
  voided: string | null
}

export interface RowResult extends Measured {
  row: Row
}

/** Two measurements of the same baseline may differ by this share, else the machine was too restless. */
const TWINS_APART = 0.05

export const median = (values: number[]): number => quantile(values, 0.5)

export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN]
  return low + (high - low) * (at - Math.floor(at))
}

/** Measurements of both sides, in turns; the baseline begins and ends. */
interface Taken {
  ours: number[][]
  plain: number[][]
}

/**
 * Measures a row: the baseline before and after each measurement of the system. Every other baseline beside those in
 * between tells how restless the machine is: a row in which they differ is measured for as many pairs again, and then
 * counts for nothing.
 */
export async function measureRow(row: Row, pairs: number, deadline: number): Promise<Measured> {
  const began = performance.now()
  const progress = (what: string) =>
    process.stderr.write(`  ${((performance.now() - began) / 1000).toFixed(0)} s: ${what}\n`)
  const sides = await row.open()
  progress('ready')
  const wanted = sides.plain ? pairs : (row.times ?? pairs)
  const taken: Taken = { ours: [], plain: [] }
  const take = async () => {
    taken.ours.push(await sides.ours())
    if (sides.plain) taken.plain.push(await sides.plain())
    progress(
      `${taken.ours.length} of ${wanted}: ${taken.ours
        .at(-1)!
        .map(value => value.toPrecision(3))
        .join(', ')}`,
    )
  }
  const goOn = (count: number) => taken.ours.length < count && performance.now() < deadline
  try {
    if (sides.plain) taken.plain.push(await sides.plain())
    while (goOn(wanted)) await take()
    while (isRestless(taken) && goOn(2 * wanted)) await take()
  } finally {
    await sides.close()
  }
  const few = taken.ours.length < wanted ? `only ${taken.ours.length} of ${wanted} in its time` : null
  const restless = isRestless(taken) ? 'the baseline beside itself is outside 0.95–1.05' : null
  return {
    pairs: taken.ours.length,
    twins: twinsOf(taken),
    figures: taken.ours.length ? row.figures.map((figure, at) => figureOf(figure, at, taken)) : [],
    voided: few ?? restless,
  }
}

function twinsOf({ plain }: Taken): number | null {
  if (!plain.length) return null
  const half = (which: number) => median(plain.filter((_, at) => at % 2 === which).map(([first]) => first!))
  return half(0) / half(1)
}

const isRestless = (taken: Taken): boolean => Math.abs((twinsOf(taken) ?? 1) - 1) > TWINS_APART

function figureOf(figure: Figure, at: number, taken: Taken): FigureResult {
  const ours = taken.ours.map(values => values[at]!)
  const plain = taken.plain.map(values => values[at]!)
  const compare = (value: number, pair: number) => {
    if ('atMost' in figure.goal) return value
    const beside = (plain[pair]! + plain[pair + 1]!) / 2
    return 'addedAtMost' in figure.goal ? value - beside : value / beside
  }
  const each = ours.map(compare)
  const compared = median(each)
  return {
    ...figure,
    ours: median(ours),
    plain: plain.length ? median(plain) : null,
    compared,
    least: Math.min(...each),
    most: Math.max(...each),
    met: isMet(figure.goal, compared),
  }
}

function isMet(goal: Goal, compared: number): boolean {
  if ('ratioAtLeast' in goal) return compared >= goal.ratioAtLeast
  if ('ratioAtMost' in goal) return compared <= goal.ratioAtMost
  return compared <= ('atMost' in goal ? goal.atMost : goal.addedAtMost)
}
