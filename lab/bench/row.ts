/** A figure's goal, relative to its baseline or absolute. */
export type Goal =
  | { ratioAtMost: number }
  | { ratioAtLeast: number }
  /** Difference to the baseline, in the figure's unit. */
  | { addedAtMost: number }
  | { atMost: number }
  | { atLeast: number }

export interface Figure {
  name: string
  unit: 'ms' | 'MB' | '/s' | ''
  goal: Goal
}

/** One measurement: a value for each figure of the row, in order. */
export type Measure = () => Promise<number[]>

/** Both sides of a row, ready for repeated measurements. */
export interface Sides {
  ours: Measure
  /** Undefined if the goal needs no baseline. */
  plain?: Measure
  close(): Promise<void>
}

/** One topic of `docs/performance.md`: the system and a baseline of plain parts, measured alternately. */
export interface Row {
  /** Name for `--only`. */
  name: string
  title: string
  baseline: string
  figures: Figure[]
  /** Cause of a missed goal, found by profiling, in at most 60 words. */
  inTheWay?: string
  /** Seconds for seven pairs, including start and stop, on a quiet machine with two cores. */
  seconds: number
  /** Number of measurements of a row without a baseline. */
  times?: number
  open(): Promise<Sides>
}

export interface FigureResult extends Figure {
  ours: number
  plain: number | null
  /** Value that the goal is about (ratio, difference or the figure itself): median, minimum and maximum. */
  compared: number
  least: number
  most: number
  met: boolean
}

export interface Measured {
  pairs: number
  /** A/A ratio: medians of every other baseline and of those in between; null without a baseline. */
  twins: number | null
  figures: FigureResult[]
  /** Reason why the row does not count, or null. */
  voided: string | null
}

/** Share by which two measurements of the same baseline may differ; beyond it, the machine was too busy. */
const TWINS_APART = 0.05

export const median = (values: number[]): number => quantile(values, 0.5)

export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * part
  const [low, high] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN]
  return low + (high - low) * (at - Math.floor(at))
}

/**
 * Measures a row, with the baseline before and after each measurement of the system. If the baselines differ too much
 * from each other, it is measured for as many pairs again, and does not count if they still do.
 */
export async function measureRow(row: Row, pairs: number, deadline: number): Promise<Measured> {
  const sides = await row.open()
  const wanted = sides.plain ? pairs : (row.times ?? pairs)
  const ours: number[][] = []
  const plain: number[][] = []
  const isRestless = () => Math.abs((twinsOf(plain) ?? 1) - 1) > TWINS_APART
  try {
    if (sides.plain) plain.push(await sides.plain())
    while (performance.now() < deadline && ours.length < (isRestless() ? 2 : 1) * wanted) {
      ours.push(await sides.ours())
      if (sides.plain) plain.push(await sides.plain())
      process.stderr.write(`  ${ours.length}: ${ours.at(-1)!.map(value => value.toPrecision(3))}\n`)
    }
  } finally {
    await sides.close()
  }
  const few = ours.length < wanted ? `only ${ours.length} of ${wanted} in its time` : null
  return {
    pairs: ours.length,
    twins: twinsOf(plain),
    figures: ours.length ? row.figures.map((figure, at) => figureOf(figure, at, ours, plain)) : [],
    voided: few ?? (isRestless() ? 'A/A is outside 0.95–1.05' : null),
  }
}

function twinsOf(plain: number[][]): number | null {
  if (plain.length < 2) return null
  const half = (which: number) => median(plain.filter((_, at) => at % 2 === which).map(([first]) => first!))
  return half(0) / half(1)
}

function figureOf(figure: Figure, at: number, ours: number[][], plain: number[][]): FigureResult {
  const { goal } = figure
  const each = ours.map((values, pair) => {
    const value = values[at]!
    if ('atMost' in goal || 'atLeast' in goal) return value
    const beside = (plain[pair]![at]! + plain[pair + 1]![at]!) / 2
    return 'addedAtMost' in goal ? value - beside : value / beside
  })
  const compared = median(each)
  return {
    ...figure,
    ours: median(ours.map(values => values[at]!)),
    plain: plain.length ? median(plain.map(values => values[at]!)) : null,
    compared,
    least: Math.min(...each),
    most: Math.max(...each),
    met:
      'ratioAtLeast' in goal || 'atLeast' in goal
        ? compared >= Object.values(goal)[0]!
        : compared <= Object.values(goal)[0]!,
  }
}
