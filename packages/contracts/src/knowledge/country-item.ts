import { z } from 'zod'

export const CountryItem = z.object({
  /** ISO 3166-1 numeric, three digits: `840`. */
  id: z.string(),
  /** ISO 3166-1 alpha-2. */
  code: z.string(),
  /** ISO 3166-1 alpha-3. */
  iso: z.string(),
  label: z.string(),
  /** `+` and digits. */
  phonecode: z.string(),
})
export type CountryItem = z.infer<typeof CountryItem>
