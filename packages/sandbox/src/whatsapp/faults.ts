import { z } from 'zod'
import { calls, type Faults } from '../faults.ts'

/** Faults on request. Numbers count down with every call they spoil. */
export const WhatsAppFaultCounts = z.object({
  badToken: calls,
  /** The next n sends are refused with 130429. */
  rateLimited: calls,
  serverError: calls,
  hang: calls,
  /** `real`: open for 24 hours after the person wrote. `closed`: 131047 as a failed status; `refused`: at once. */
  window: z.enum(['real', 'closed', 'refused']).default('real'),
  /** The next n messages are accepted, then fail with 131026. */
  failLater: calls,
  /** The next n downloads break off in the middle. */
  mediaBroken: calls,
  /** The next n downloads answer 404, as an expired address does. */
  mediaMissing: calls,
})

export type WhatsAppFaults = Faults<typeof WhatsAppFaultCounts>
