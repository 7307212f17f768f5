import { SPEAKERS_MAX } from '@voxscribe/contracts/limits'
import { agnes, type Cluster } from 'ml-hclust'
import type { Group } from './protocol.ts'
import { centreOf, product } from './vectors.ts'

/** A smaller share of the vectors isn't a person but a cough, a laugh, or two voices at once. */
const SHARE_MIN = 0.1
/** Minimum shares of a group if the count is given, tried in turn. */
const SHARES_TRIED = [0.1, 0.05, 0.02, 0]
/** Maximum cuts of the tree when searching for that many large groups. */
const CUTS_MAX = 60

/**
 * Groups unit vectors by average linkage. Without a count, merges groups until two are less alike than the threshold;
 * then groups below 10 % join the most similar one. A given count is met if there are enough vectors.
 */
export function grouped({ vectors, count, threshold }: Omit<Group, 'do'>): number[] {
  if (vectors.length < 2) return vectors.map(() => 0)
  const distances = vectors.map(one => vectors.map(other => 1 - product(one, other)))
  const tree = agnes(distances, { method: 'average', isDistanceMatrix: true })
  const groups =
    count === null ? byLikeness(tree, 1 - threshold) : byCount(tree, Math.min(count, vectors.length))
  const centres = groups.map(indices => centreOf(indices.flatMap(index => vectors[index] ?? [])))
  const own = new Map(groups.flatMap((indices, group) => indices.map(index => [index, group])))
  return vectors.map((vector, index) => own.get(index) ?? nearest(vector, centres))
}

function nearest(vector: Float32Array, centres: Float32Array[]): number {
  const alike = centres.map(centre => product(vector, centre))
  return alike.indexOf(Math.max(...alike))
}

const bySize = (groups: Cluster[]): number[][] =>
  groups
    .map(group => (group.isLeaf ? [group.index] : group.indices()))
    .sort((one, other) => other.length - one.length)

function byLikeness(tree: Cluster, height: number): number[][] {
  const groups = bySize(tree.height <= height ? [tree] : tree.cut(height))
  const large = groups.filter(({ length }) => length >= SHARE_MIN * tree.size).slice(0, SPEAKERS_MAX)
  return large.length ? large : groups.slice(0, 1)
}

function byCount(tree: Cluster, count: number): number[][] {
  if (count === 1) return bySize([tree])
  for (const share of SHARES_TRIED)
    for (let cuts = count; cuts <= Math.min(CUTS_MAX, tree.size); cuts++) {
      const large = bySize(tree.group(cuts).children).filter(({ length }) => length >= share * tree.size)
      if (large.length >= count) return large.slice(0, count)
    }
  return bySize(tree.group(count).children)
}
