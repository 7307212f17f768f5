import { z } from 'zod'
import type { Settings } from '../settings.ts'

const calls = z.int().min(0).max(1_000_000)

/** What the next n API calls suffer, in this order. */
export const StripeFaultCounts = z.object({
  /** Answered 500, nothing done. */
  error: calls.default(0),
  /** Answered 429, nothing done. */
  rateLimited: calls.default(0),
  /** Never answered, nothing done. */
  hang: calls.default(0),
  /** Done, but the line breaks before the answer. */
  lost: calls.default(0),
})
export type StripeFaultCounts = z.infer<typeof StripeFaultCounts>

const NAME = 'stripe-faults'
const ORDER = ['error', 'rateLimited', 'hang', 'lost'] as const

export type StripeFaults = ReturnType<typeof createStripeFaults>

export function createStripeFaults(settings: Settings) {
  const read = () => settings.read(NAME, StripeFaultCounts)
  return {
    read,
    change(changes: Partial<StripeFaultCounts>) {
      settings.write(NAME, { ...read(), ...changes })
      return read()
    },
    /** What this call suffers; counts it. */
    next() {
      const left = read()
      const fault = ORDER.find(name => left[name] > 0)
      if (fault) settings.write(NAME, { ...left, [fault]: left[fault] - 1 })
      return fault
    },
  }
}
