import type { Ledgers } from './ledgers.ts'

/** Time after a call in which its outcome may be unwritten: the response's way back, and the write. */
const WINDOW_MS = 5_000
/** A process exits by itself only after it has missed its database for half a minute. */
const BEFORE_END_MS = 45_000

/** Returns whether a time is near a fault at a target that matches, or near an unasked exit of one. */
export function excusesOf(names: RegExp, { world, made }: Ledgers) {
  const ends = [...world.processes.values()].flatMap(({ name, exits }) => (names.test(name) ? exits : []))
  const faults = [
    ...made.filter(({ target, hit }) => hit && names.test(target)),
    ...ends.filter(({ isAsked }) => !isAsked).map(({ at }) => ({ from: at - BEFORE_END_MS, until: at })),
  ]
  return (begun: number, ended = begun) =>
    faults.some(({ from, until }) => begun <= until + WINDOW_MS && from - WINDOW_MS <= ended)
}
