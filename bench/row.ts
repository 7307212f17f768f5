/** Mark that a figure is to reach, beside its baseline or by itself. */
export type Goal =
  | { ratioAtMost: number }
  | { ratioAtLeast: number }
  /** Beyond the baseline, in the figure's unit. */
  | { addedAtMost: number }
  | { atMost: number }

export interface Figure {
  name: string
  unit: 'ms' | 's' | 'MB' | 'kB' | '/s'
  goal: Goal
  /** The figure that issue and discussion began with. */
  before: string
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

export interface RowResult {
  row: Row
  pairs: number
  /** First baseline over second baseline of the pairs, by medians; null without a baseline. */
  twins: number | null
  figures: FigureResult[]
  /** Why the row counts for nothing. */
  voided: string | null
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

interface Pair {
  ours: number[]
  first: number[]
  second: number[]
}

/**
 * Measures a row: in each pair the baseline, the system, and the baseline again, whose two values tell how restless
 * the machine is. A row whose baselines differ is measured for as many pairs again, and then counts for nothing.
 */
export async function measureRow(row: Row, pairs: number, deadline: number): Promise<RowResult> {
  const sides = await row.open()
  const taken: Pair[] = []
  const take = async () => {
    const first = (await sides.plain?.()) ?? []
    const ours = await sides.ours()
    taken.push({ ours, first, second: (await sides.plain?.()) ?? [] })
  }
  try {
    while (taken.length < pairs && performance.now() < deadline) await take()
    while (isRestless(taken) && taken.length < 2 * pairs && performance.now() < deadline) await take()
  } finally {
    await sides.close()
  }
  return judged(row, taken, pairs)
}

const twinsOf = (taken: Pair[]): number | null =>
  taken[0]?.first.length
    ? median(taken.map(({ first }) => first[0]!)) / median(taken.map(({ second }) => second[0]!))
    : null

const isRestless = (taken: Pair[]): boolean => Math.abs((twinsOf(taken) ?? 1) - 1) > TWINS_APART

function judged(row: Row, taken: Pair[], wanted: number): RowResult {
  const few = taken.length < wanted ? `only ${taken.length} of ${wanted} pairs in its time` : null
  const restless = isRestless(taken) ? 'the baseline beside itself is outside 0.95–1.05' : null
  return {
    row,
    pairs: taken.length,
    twins: twinsOf(taken),
    figures: row.figures.map((figure, at) => figureOf(figure, at, taken)),
    voided: few ?? restless,
  }
}

function figureOf(figure: Figure, at: number, taken: Pair[]): FigureResult {
  const compare = (ours: number, plain: number) => {
    if ('atMost' in figure.goal) return ours
    return 'addedAtMost' in figure.goal ? ours - plain : ours / plain
  }
  const plainOf = ({ first, second }: Pair) => (first[at]! + second[at]!) / 2
  const ours = median(taken.map(pair => pair.ours[at]!))
  const plain = taken[0]?.first.length ? median(taken.map(plainOf)) : null
  const each = taken.map(pair => compare(pair.ours[at]!, plainOf(pair)))
  const compared = median(each)
  return {
    ...figure,
    ours,
    plain,
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
