/** Returns numbers from 0 up to 1 that are the same for the same seed. */
export type Random = () => number

/** Creates a generator of our own: a seed gives the same numbers on every machine and in every version of Node. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    // An xorshift of a Weyl sequence.
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
}
