import { z } from 'zod'
import { calls, type Faults } from '../faults.ts'

export const WhatsAppFaultCounts = z.object({
  /** The next n sends get 130429. */
  rateLimited: calls,
  /** `real`: open for 24 hours after the person's message. `closed`: 131047 as a failed status; `refused`: at once. */
  window: z.enum(['real', 'closed', 'refused']).default('real'),
})
export type WhatsAppFaults = Faults<typeof WhatsAppFaultCounts>
