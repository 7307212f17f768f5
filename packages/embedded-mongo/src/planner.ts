import { demandsOf } from './bounds.ts'
import type { Collection } from './catalog.ts'
import type { Sort } from './sort.ts'
import type { Storage } from './storage.ts'
import { alsoIn, edgesOf, recsIn, type Stretch, stretchesOf } from './stretch.ts'
import type { Doc } from './values.ts'

export interface Plan {
  /** Is read from one end to the other; undefined for the whole collection. */
  first: Stretch | undefined
  /** Only what stands in these too is read. */
  others: Stretch[]
  /** True when documents are read in the order that was asked for. */
  sorted: boolean
  /** True when only matches are read: nothing needs to be tested for counting or skipping. */
  covered: boolean
}

/** So few documents are read at once, without asking another index; if as few are in the wanted order, those. */
const FEW = 200
/** Stretches are told apart by their sizes up to here. */
const MANY = 10_000
/** A stretch of more pieces is not asked for the documents of another. */
export const MAX_PIECES = 8

/**
 * Chooses what to read. `walk` goes along the wanted order and is worth being tried first: what is common is soon met.
 * `narrow` asks all indexes first.
 */
export function plansFor(storage: Storage, collection: Collection, filter: Doc, sort?: Sort) {
  const demands = demandsOf(filter)
  const stretches = collection.indexes.flatMap(index => stretchesOf(index, demands, sort))
  // What is narrowed by most comes first, and of those that are alike what has an order.
  stretches.sort((a, b) => b.used.length - a.used.length || Number(!a.order) - Number(!b.order))
  const tightest = stretches.filter(isTightest)
  const planOf = (first: Stretch | undefined, others: Stretch[] = []): Plan => ({
    first,
    others: others.filter(stretch => stretch !== first),
    sorted: !sort || first?.order !== undefined,
    covered: demands.every(
      demand => demand.exact && [first, ...others].some(stretch => stretch?.used.includes(demand)),
    ),
  })
  const only = (first: Stretch | undefined) => ({ walk: undefined, narrow: () => planOf(first) })
  const unique = stretches.find(({ isUnique }) => isUnique)
  const walk = stretches.find(({ order, used }) => order && (used.length > 0 || tightest.length === 0))
  if (unique || tightest.length === 0) return only(unique ?? walk)
  if (tightest.length === 1 && (walk === tightest[0] || !walk)) return only(tightest[0])
  const sizes = [walk ?? [], tightest].flat().map(each => [sizeOf(storage, each, FEW + 1), each] as const)
  const [fewest] = sizes.filter(([size]) => size <= FEW).sort(([a], [b]) => a - b)
  const few = fewest?.[1]
  return {
    walk: walk && !few ? planOf(walk) : undefined,
    /** For counting no order matters, and keys are passed over much faster than documents are read. */
    narrow(isForCounting = false): Plan {
      if (few && !isForCounting) return planOf(few)
      const large = new Map(tightest.map(stretch => [stretch, sizeOf(storage, stretch, MANY)]))
      // The largest is passed along, and may be left early; of the others SQLite makes a set.
      const sized = tightest.toSorted((a, b) => large.get(b)! - large.get(a)!)
      // Of what is common to everybody no set is made for one.
      const isWorth = ({ used, ranges }: Stretch, size: number) =>
        ranges.length <= MAX_PIECES &&
        (isForCounting || size < MANY || walk?.used.every(demand => used.includes(demand)))
      const all = sized.filter(stretch => isWorth(stretch, large.get(stretch)!))
      // What is common may be rare together.
      if (isForCounting || !walk || (all.length > 1 && countIn(storage, all, FEW + 1) <= FEW))
        return planOf(all[0] ?? sized.at(-1), all)
      return planOf(walk, all)
    },
  }
}

/** Whether no other one is narrowed by all that narrows it; of those that are alike the first is. */
function isTightest({ used }: Stretch, at: number, all: Stretch[]): boolean {
  const isWithin = (other: Stretch) => used.every(demand => other.used.includes(demand))
  return used.length > 0 && !all.slice(0, at).some(isWithin)
}

/** How many documents stand in all of these, up to the limit. */
export function countIn(storage: Storage, [first, ...others]: Stretch[], limit: number): number {
  const what = first!.isOnce ? 'rec' : 'DISTINCT rec'
  const sql = `SELECT ${what} FROM (${recsIn(first!)}) WHERE ${alsoIn(others)} LIMIT ?`
  const edges = [first!, ...others].flatMap(edgesOf)
  return storage.get(`SELECT count(*) AS n FROM (${sql})`, ...edges, limit)!.n as number
}

function sizeOf(storage: Storage, { index, ranges }: Stretch, limit: number): number {
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM keys_${index.id} WHERE key >= ? AND key < ? LIMIT ?)`
  let size = 0
  for (const { low, high } of ranges) {
    if (size >= limit) break
    size += storage.get(sql, low, high, limit - size)!.n as number
  }
  return size
}
