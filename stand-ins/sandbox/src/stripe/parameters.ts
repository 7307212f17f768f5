import { z } from 'zod'
import { invalid } from './errors.ts'

// All values are strings; an empty one unsets a field. Other parameters are ignored.
const text = z.string().max(5000)
const integer = z
  .string()
  .regex(/^-?\d+$/, 'Invalid integer')
  .transform(Number)
const boolean = z.enum(['true', 'false'], 'Invalid boolean').transform(value => value === 'true')
const metadata = z.record(text, text).optional()
const url = z.url({ protocol: /^https?$/, error: 'Not a valid URL' }).max(5000)

const LOCALES =
  'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk ' +
  'sl sv th tr vi zh zh-HK zh-TW'
/** The locale of pages that a payer sees. */
const locale = z
  .enum(LOCALES.split(' '), `Invalid locale: must be one of ${LOCALES.replaceAll(' ', ', ')}`)
  .optional()

export const Parameters = {
  list: z.object({
    limit: integer
      .refine(value => value >= 1 && value <= 100, 'Invalid limit: must be between 1 and 100')
      .default(10),
    customer: text.optional(),
    subscription: text.optional(),
    starting_after: z.undefined('This stand-in has no second pages').optional(),
    expand: z.tuple([z.literal('data.payments')], 'This property cannot be expanded.').optional(),
  }),
  customer: z.object({ email: text.optional(), name: text.optional(), metadata }),
  price: z.object({
    currency: text,
    unit_amount: integer,
    recurring: z.object({ interval: z.literal('month', 'This stand-in knows interval=month only') }),
    product_data: z.object({ name: text }),
  }),
  checkout: z.object({
    mode: z.literal('subscription', 'This stand-in knows mode=subscription only'),
    line_items: z.tuple([
      z.object({ price: text, quantity: z.literal('1', 'This stand-in sells one').optional() }),
    ]),
    success_url: url,
    cancel_url: url.optional(),
    client_reference_id: text.optional(),
    customer: text,
    locale,
    metadata,
    subscription_data: z.object({ metadata }).optional(),
  }),
  subscriptionUpdate: z.object({
    cancel_at_period_end: boolean.optional(),
    cancel_at: z.union([z.literal('').transform(() => null), integer]).optional(),
    metadata,
  }),
  refund: z.object({ payment_intent: text, amount: integer.optional() }),
  portal: z.object({ customer: text, locale, return_url: url.optional() }),
}

/** Parsed parameters of a call. */
export type Given<Name extends keyof typeof Parameters> = z.output<(typeof Parameters)[Name]>
/** Returns the public address of one of the sandbox's pages. */
export type PageUrl = (path: string) => string

/** Checks parameters. Errors name the parameter as Stripe does: `line_items[0][price]`. */
export function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given ?? {}, { reportInput: true })
  if (parsed.success) return parsed.data
  const { path, message, code, input } = parsed.error.issues[0] as z.core.$ZodIssue
  const param = path.map((part, index) => (index ? `[${String(part)}]` : String(part))).join('')
  if (code === 'invalid_type' && input === undefined)
    throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  throw invalid(message, { param })
}
