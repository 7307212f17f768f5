import type { Made } from './troubles.ts'
import type { World } from './world.ts'

/** How long after its end a thing may still not be written down: the answer's way back, and the write. */
export const WINDOW_MS = 5_000
/** A process that ends by itself has been in trouble before: it gives the database half a minute to come back. */
const BEFORE_END_MS = 45_000

/** Times at which something of that name was in trouble. */
export function troublesOf(
  names: RegExp,
  { processes }: World,
  made: Made[],
): Pick<Made, 'from' | 'until'>[] {
  const ends = [...processes.values()].flatMap(({ name, exits }) => (names.test(name) ? exits : []))
  return [
    ...made.filter(({ target, hit }) => hit && names.test(target)),
    ...ends.filter(({ isAsked }) => !isAsked).map(({ at }) => ({ from: at - BEFORE_END_MS, until: at })),
  ]
}
