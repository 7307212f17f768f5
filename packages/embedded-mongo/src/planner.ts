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

/** So few documents are sooner read and sorted than looked up along another index. */
const FEW = 200
/** Up to here one stretch is worth being asked for each document of another. */
const MANY = 10_000
/** A stretch of more pieces is not asked for the documents of another. */
const MAX_PIECES = 8

/** Chooses what to read. How many keys its candidates hold is counted, as far as the choice needs it. */
export function planFor(
  storage: Storage,
  collection: Collection,
  filter: Doc,
  sort?: Sort,
  isForCounting = false,
): Plan {
  const demands = demandsOf(filter)
  const stretches = worthReading(collection.indexes.flatMap(index => stretchesOf(index, demands, sort)))
  const planOf = (first: Stretch | undefined, others: Stretch[] = []): Plan => ({
    first,
    others,
    sorted: !sort || first?.order !== undefined,
    covered: demands.every(
      demand => demand.exact && [first, ...others].some(stretch => stretch?.used.includes(demand)),
    ),
  })
  const unique = stretches.find(({ isUnique }) => isUnique)
  if (unique || stretches.length < 2) return planOf(unique ?? stretches[0])
  const [fewest] = bySize(storage, stretches, FEW + 1)
  if (fewest!.size <= FEW) return planOf(fewest!.stretch)
  const sized = bySize(storage, stretches, MANY)
  const narrow = sized.filter(({ stretch }) => stretch.used.length > 0 && stretch.ranges.length <= MAX_PIECES)
  // The largest is passed along, and may be left early; of the others SQLite makes a set.
  const tightest = narrow
    .map(({ stretch }) => stretch)
    .filter(isTightest)
    .toReversed()
  // Keys are passed over so much faster than documents are read that counting takes all of them into account; and
  // what is common may be rare together.
  if (tightest.length > 1 && (isForCounting || countIn(storage, tightest, FEW + 1) <= FEW))
    return planOf(tightest[0], tightest.slice(1))
  const selective = narrow.filter(({ size }) => size < MANY)
  // To walk a whole index along its order pays only where nothing else narrows the search.
  const isWorthWalking = ({ order, used }: Stretch) => order && (used.length > 0 || selective.length === 0)
  const first = (sized.find(({ stretch }) => isWorthWalking(stretch)) ?? sized[0]!).stretch
  return planOf(
    first,
    selective.map(({ stretch }) => stretch).filter(stretch => stretch !== first),
  )
}

/** Without those that narrow by nothing that another one doesn't narrow by too, nor have an order that it lacks. */
function worthReading(stretches: Stretch[]): Stretch[] {
  const isNeeded = (stretch: Stretch, at: number) =>
    (stretch.used.length > 0 || stretch.order) &&
    !stretches.some(
      (other, i) =>
        i !== at &&
        (other.order || !stretch.order) &&
        stretch.used.every(demand => other.used.includes(demand)) &&
        // Of two that are alike the first is taken.
        (i < at || other.used.length > stretch.used.length || (other.order && !stretch.order)),
    )
  return stretches.filter((stretch, at) => stretch.isUnique || isNeeded(stretch, at))
}

/** Whether no other one is narrowed by all that narrows it, and by more. */
function isTightest({ used }: Stretch, _at: number, all: Stretch[]): boolean {
  return !all.some(
    other => other.used.length > used.length && used.every(demand => other.used.includes(demand)),
  )
}

function bySize(storage: Storage, stretches: Stretch[], limit: number) {
  return stretches
    .map(stretch => ({ stretch, size: sizeOf(storage, stretch, limit) }))
    .sort((a, b) => a.size - b.size)
}

/** How many documents stand in all of these, up to the limit. */
export function countIn(storage: Storage, [first, ...others]: Stretch[], limit: number): number {
  const what = first!.index.multikey ? 'DISTINCT rec' : 'rec'
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
