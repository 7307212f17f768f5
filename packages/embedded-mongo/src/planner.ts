import { demandsOf } from './bounds.ts'
import type { Collection } from './catalog.ts'
import type { Sort } from './sort.ts'
import type { Storage } from './storage.ts'
import { isAsked, recsIn, type Stretch, stretchesOf } from './stretch.ts'
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

/** So few are gathered without a sample. */
const FEW = 50
/** So many are gathered, to be met in the wanted order. */
const GATHERED_MAX = 10_000
/** Keys by which it is judged whether what is wanted is common. */
const SAMPLE = 500
/** A condition that so many of them fulfil is soon met in the wanted order. */
const MET = 3
/** For so many keys other indexes are asked one by one, without a sample. */
const ASKED_MAX = 2_000
/** So many keys are not gathered to compare them with others. */
const LARGE = 100_000
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
  const [size, first] = smallestOf(storage, tightest, ASKED_MAX + 1)
  if (!walk || !tightest.every(isCompared)) return planOf(walk ?? first)
  const along = planOf(walk)
  if (size > FEW && along.covered && countIn(storage, [walk], along.others, MET, SAMPLE) === MET) return along
  const all = size > ASKED_MAX ? tightest.filter(each => sizeOf(storage, each, LARGE) < LARGE) : [first]
  if (all.length === 0) return along
  const others = asked.filter(stretch => !all.includes(stretch))
  const [sql, ...values] = recsIn(all, others, GATHERED_MAX + 1)
  const recs = [...storage.column(sql, ...values)]
  if (recs.length > GATHERED_MAX) return along
  return { first: walk, others: [], recs, sorted: true, covered: isCoveredBy([...all, ...others, walk]) }
}

/** How many documents match, up to the limit, where indexes can tell; else undefined. */
export function countOfKeys(storage: Storage, collection: Collection, filter: Doc, limit: number) {
  const { tightest, isCoveredBy } = choicesFor(collection, filter)
  if (tightest.length === 0 || !isCoveredBy(tightest) || !tightest.every(isCompared)) return undefined
  const unasked = tightest.filter(stretch => !isAsked(stretch))
  const [size, first] = smallestOf(storage, unasked.length > 0 ? unasked : tightest, ASKED_MAX + 1)
  const others = tightest.filter(stretch => stretch !== first)
  const isRare = () => size > ASKED_MAX && countIn(storage, [first], others, SAMPLE / 5, SAMPLE) < SAMPLE / 5
  // Where few are found, to compare all keys takes less time than to ask for each.
  const all = unasked.length > 1 || isRare() ? tightest : [first]
  return countIn(storage, all, all === tightest ? [] : others, limit)
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

/** The one with the fewest keys, and how many it has, up to the limit. */
function smallestOf(storage: Storage, some: Stretch[], limit: number) {
  const sizes = some.map(stretch => [sizeOf(storage, stretch, limit), stretch] as const)
  return sizes.reduce((least, next) => (next[0] < least[0] ? next : least))
}

function countIn(storage: Storage, ...[all, others, limit, among]: Parameters<typeof recsIn>): number {
  const [sql, ...values] = recsIn(all, others, limit, among)
  return storage.get(`SELECT count(*) AS n FROM (${sql})`, ...values)!.n as number
}

function sizeOf(storage: Storage, { index, ranges }: Stretch, limit: number): number {
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM keys_${index.id} WHERE key >= ? AND key < ? LIMIT ?)`
  return ranges.reduce(
    (size, { low, high }) => size + (storage.get(sql, low, high, limit - size)!.n as number),
    0,
  )
}
