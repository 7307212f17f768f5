import type { Demand, Range } from './bounds.ts'
import type { Index } from './catalog.ts'

/** A part of an index that holds every match, and perhaps others. */
export interface Stretch {
  index: Index
  ranges: Range[]
  /** The demands by which its ranges are bounded. */
  used: Demand[]
  /** Those of them that everything in it fulfils. */
  exact: Demand[]
  /** The direction in which it has the wanted order. */
  order: 'forward' | 'backward' | undefined
  /** At most one document for each range. */
  isUnique: boolean
}

/** SQL for the row ids in it; a row that has several keys in it comes several times. */
export function recsIn({ index, ranges }: Stretch): string {
  if (ranges.length === 0) return 'SELECT 0 AS rec WHERE 0'
  return ranges.map(() => `SELECT rec FROM keys_${index.id} WHERE key >= ? AND key < ?`).join(' UNION ALL ')
}

/** SQL for a condition on `rec`. */
export function alsoIn(others: Stretch[]): string {
  return ['1', ...others.map(stretch => `rec IN (${recsIn(stretch)})`)].join(' AND ')
}

/** Values for the placeholders of the SQL for it. */
export function edgesOf({ ranges }: Stretch): Buffer[] {
  return ranges.flatMap(({ low, high }) => [low, high])
}
