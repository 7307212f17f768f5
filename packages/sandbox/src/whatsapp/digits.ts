import { randomInt } from 'node:crypto'

/** A random number of so many digits, as Meta's ids are. */
export const digits = (length: number) =>
  Array.from({ length }, (_, place) => (place ? randomInt(10) : randomInt(1, 10))).join('')
