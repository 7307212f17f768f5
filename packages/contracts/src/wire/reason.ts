import { z } from 'zod'

/** A reason of `knowledge/reasons.ts` as data. Apart from the sentences, which a page shows before it needs schemas. */
export const ReasonSchema = z.object({
  code: z.string().min(1),
  facts: z.record(z.string(), z.unknown()).optional(),
})
