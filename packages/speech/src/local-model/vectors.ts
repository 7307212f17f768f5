/** Returns the dot product. A plain loop, because a long note has millions of these. */
export function product(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] ?? 0) * (other[at] ?? 0)
  return sum
}

/** Returns the mean of vectors, scaled to length 1. */
export function centreOf(vectors: Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const vector of vectors) for (const [at, value] of vector.entries()) sum[at] = (sum[at] ?? 0) + value
  const length = Math.hypot(...sum) || 1
  return sum.map(value => value / length)
}
