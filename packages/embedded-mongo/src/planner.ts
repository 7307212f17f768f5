import { demandsOf } from './bounds.ts'
import { type Collection, hasBlocks } from './catalog.ts'
import type { Sort } from './sort.ts'
import type { Storage } from './storage.ts'
import { alsoMetIn, isAsked, metIn, recsIn, rowsIn, type Stretch, stretchesOf } from './stretch.ts'
import type { Doc } from './values.ts'

export interface Plan {
  /** Is read from one end to the other; undefined for the whole collection. */
  first: Stretch | undefined
  /** Only what stands in these too is read. */
  others: Stretch[]
  /** All of that, where it is known already. */
  recs?: number[]
  /** True when documents are read in the order that was asked for. */
  sorted: boolean
  /** True when only matches are read: nothing needs to be tested for skipping. */
  covered: boolean
}

/** So few are put in order at once. */
const FEW = 500
/** So many are put in order, rather than met in it one by one. */
const MANY = 10_000
/** Keys by which it is judged whether what is wanted is common. */
const SAMPLE = 500
/** A condition that so many of them fulfil is soon met in the wanted order. */
const MET = 3
/** Keys up to which stretches are compared by their size. */
const SIZED = 2_000
/** So much of an index is soon read, or is read when nothing else is left: keys, or rows of blocks, which hold more. */
const SOON = { keys: 6_000, blocks: 1_500 }
const AT_LAST = { keys: 100_000, blocks: 20_000 }
/** A stretch of more pieces is read piece by piece. */
const MAX_PIECES = 8

/** Chooses what to read: all in the wanted order until enough is found, or what is rare, to be sorted. */
export function planFor(storage: Storage, collection: Collection, filter: Doc, sort?: Sort): Plan {
  const { stretches, tightest, asked, isCoveredBy } = choicesFor(collection, filter, sort)
  const planOf = (first: Stretch | undefined): Plan => ({
    first,
    others: asked.filter(stretch => stretch !== first),
    sorted: !sort || first?.order !== undefined,
    covered: isCoveredBy([first ?? [], asked].flat()),
  })
  const unique = stretches.find(({ isUnique }) => isUnique)
  const walk = stretches.find(({ order, used }) => order && (used.length > 0 || tightest.length === 0))
  if (unique || tightest.length === 0) return planOf(unique ?? walk)
  if (tightest.length === 1 && (walk === tightest[0] || !walk)) return planOf(tightest[0])
  if (!walk || !tightest.every(isCompared)) return planOf(walk ?? smallestOf(storage, tightest))
  const along = planOf(walk)
  const gathered = (all: Stretch[], recs: number[]): Plan => {
    const others = asked.filter(stretch => !all.includes(stretch))
    const covered = isCoveredBy([...all, ...others, walk])
    return { first: walk, others: [], recs: alsoMetIn(storage, recs, others), sorted: true, covered }
  }
  const isMetAmong = (keys: number) =>
    along.covered && countIn(storage, walk, along.others, MET, keys) === MET
  if (isMetAmong(SAMPLE / 5)) return along
  const soon = gatherable(storage, tightest, SOON)
  const some = metIn(storage, soon, MANY + 1)
  if (soon.length > 0 && some.length <= FEW) return gathered(soon, some)
  if (isMetAmong(SAMPLE)) return along
  const all = gatherable(storage, tightest, AT_LAST)
  const recs = all.length > soon.length ? metIn(storage, all, MANY + 1) : some
  return all.length > 0 && recs.length <= MANY ? gathered(all, recs) : along
}

/** How many documents match, up to the limit, where indexes can tell; else undefined. */
export function countOfKeys(storage: Storage, collection: Collection, filter: Doc, limit: number) {
  const { tightest, isCoveredBy } = choicesFor(collection, filter)
  if (tightest.length === 0 || !isCoveredBy(tightest) || !tightest.every(isCompared)) return undefined
  if (tightest.length === 1) return countIn(storage, tightest[0]!, [], limit)
  const countBy = (all: Stretch[]) => {
    const others = tightest.filter(stretch => !all.includes(stretch))
    return alsoMetIn(
      storage,
      metIn(storage, all, others.length > 0 ? Number.POSITIVE_INFINITY : limit),
      others,
      limit,
    ).length
  }
  const soon = gatherable(storage, tightest, SOON)
  if (soon.length === tightest.length) return countBy(soon)
  if (!tightest.every(isAsked)) return countBy(tightest.filter(each => !isAsked(each) || soon.includes(each)))
  const first = smallestOf(storage, tightest)
  const others = tightest.filter(stretch => stretch !== first)
  const isCommon = countIn(storage, first, others, SAMPLE / 5, SAMPLE) === SAMPLE / 5
  const all = isCommon ? [] : gatherable(storage, tightest, AT_LAST)
  return all.length > 0 ? countBy(all) : countIn(storage, first, others, limit)
}

function choicesFor(collection: Collection, filter: Doc, sort?: Sort) {
  const demands = demandsOf(filter)
  const stretches = collection.indexes.flatMap(index => stretchesOf(index, demands, sort))
  // What is narrowed by most comes first, and of those that are alike what has an order.
  stretches.sort((a, b) => b.used.length - a.used.length || Number(!a.order) - Number(!b.order))
  const tightest = stretches.filter(isTightest)
  const isCoveredBy = (some: Stretch[]) =>
    demands.every(demand => demand.exact && some.some(({ used }) => used.includes(demand)))
  return { stretches, tightest, asked: tightest.filter(isAsked), isCoveredBy }
}

/** Whether no other one is narrowed by all that narrows it; of those that are alike the first is. */
function isTightest({ used }: Stretch, at: number, all: Stretch[]): boolean {
  const isWithin = (other: Stretch) => used.every(demand => other.used.includes(demand))
  return used.length > 0 && !all.slice(0, at).some(isWithin)
}

const isCompared = ({ ranges }: Stretch) => ranges.length <= MAX_PIECES

/** Those of which so much can be read, the smallest first. */
function gatherable(storage: Storage, some: Stretch[], limits: typeof SOON): Stretch[] {
  const all = some.map(stretch => {
    const table = hasBlocks(stretch.index) ? 'blocks' : 'keys'
    return { stretch, part: rowsIn(storage, stretch, limits[table] + 1, table) / limits[table] }
  })
  const within = all.filter(({ part }) => part <= 1).sort((a, b) => a.part - b.part)
  return within.map(({ stretch }) => stretch)
}

/** The one with the fewest keys; of large ones any. */
function smallestOf(storage: Storage, some: Stretch[]): Stretch {
  const sizes = some.map(stretch => [rowsIn(storage, stretch, SIZED), stretch] as const)
  return sizes.reduce((least, next) => (next[0] < least[0] ? next : least))[1]
}

function countIn(storage: Storage, ...asked: Parameters<typeof recsIn>): number {
  const [sql, ...values] = recsIn(...asked)
  return storage.get(`SELECT count(*) AS n FROM (${sql})`, ...values)!.n as number
}
