import type { Made } from './faults.ts'
import type { World } from './world.ts'

/** Time after a call in which its outcome may be unwritten: the response's way back, and the write. */
export const WINDOW_MS = 5_000
/** A process exits by itself only after it has missed its database for half a minute. */
const BEFORE_END_MS = 45_000

/** Returns the times of faults at targets that match, and of their unasked exits. */
export function faultsOf(names: RegExp, { processes }: World, made: Made[]): Pick<Made, 'from' | 'until'>[] {
  const ends = [...processes.values()].flatMap(({ name, exits }) => (names.test(name) ? exits : []))
  return [
    ...made.filter(({ target, hit }) => hit && names.test(target)),
    ...ends.filter(({ isAsked }) => !isAsked).map(({ at }) => ({ from: at - BEFORE_END_MS, until: at })),
  ]
}
