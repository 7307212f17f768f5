import { z } from 'zod'
import type { Settings } from '../settings.ts'

const calls = z.int().min(0).max(1_000_000)

/** What goes wrong on request. Numbers count down with every call they spoil. */
export const WhatsAppFaults = z.object({
  /** The next n sends are refused with 130429. */
  rateLimited: calls.default(0),
  /** The next n calls are answered 500 with code 131000. */
  serverError: calls.default(0),
  /** `real`: open for 24 hours after the person wrote. `closed`: 131047 as a failed status; `refused`: at once. */
  window: z.enum(['real', 'closed', 'refused']).default('real'),
  /** The next n messages are accepted, then fail with 131026. */
  failLater: calls.default(0),
  /** The next n downloads trickle. */
  mediaSlow: calls.default(0),
  /** The next n downloads break off in the middle. */
  mediaBroken: calls.default(0),
  /** The next n downloads answer 404, as an expired address does. */
  mediaMissing: calls.default(0),
})
export type WhatsAppFaults = z.infer<typeof WhatsAppFaults>
type Counted = {
  [K in keyof WhatsAppFaults]: WhatsAppFaults[K] extends number ? K : never
}[keyof WhatsAppFaults]

const NAME = 'whatsapp-faults'

export type FaultSwitches = ReturnType<typeof createFaultSwitches>

export function createFaultSwitches(settings: Settings) {
  const read = () => settings.read(NAME, WhatsAppFaults)
  return {
    read,
    change(changes: Partial<WhatsAppFaults>) {
      settings.write(NAME, { ...read(), ...changes })
      return read()
    },
    /** True when this call is to be spoiled; counts it. */
    strikes(fault: Counted) {
      const left = read()[fault]
      if (left > 0) settings.write(NAME, { ...read(), [fault]: left - 1 })
      return left > 0
    },
  }
}
