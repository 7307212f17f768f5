import type { Stripe } from 'stripe'
import { z } from 'zod'
import { invalid } from './errors.ts'

/** Everything comes as text; an empty text means: unset. */
const text = z.string().max(5000)
const integer = z
  .string()
  .regex(/^-?\d+$/, 'Invalid integer')
  .transform(Number)
const amount = integer.refine(value => value >= 0, 'This value must be greater than or equal to 0')
const boolean = z.enum(['true', 'false'], 'Invalid boolean').transform(value => value === 'true')
const metadata = z.union([
  z.literal('').transform((): Record<string, string> => ({})),
  z.record(z.string().max(40), z.string().max(500)).refine(entries => Object.keys(entries).length <= 50, {
    error: 'Metadata can have at most 50 keys',
  }),
])
const url = z.url({ protocol: /^https?$/, error: 'Not a valid URL' }).max(5000)
const email = z
  .string()
  .max(512)
  .regex(/^[^\s@]+@[^\s@]+$/, 'Invalid email address')
const expand = z.array(z.string().max(200)).max(20).optional()
const listOfOne = <Schema extends z.ZodType>(schema: Schema) => z.array(schema).min(1).max(1)

const recurring = z.object({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: integer.optional(),
})

export const Parameters = {
  expandOnly: z.object({ expand }),
  list: z.object({
    limit: integer
      .refine(value => value >= 1 && value <= 100, 'Invalid limit: must be between 1 and 100')
      .default(10),
    starting_after: text.optional(),
    ending_before: text.optional(),
    expand,
  }),
  customer: z.object({
    email: z.union([email, z.literal('')]).optional(),
    name: text.optional(),
    phone: text.optional(),
    description: text.optional(),
    metadata: metadata.optional(),
    expand,
  }),
  product: z.object({ name: text, description: text.optional(), metadata: metadata.optional(), expand }),
  price: z.object({
    currency: z
      .string()
      .regex(/^[a-z]{3}$/i, 'Invalid currency')
      .toLowerCase(),
    unit_amount: amount,
    product: text.optional(),
    product_data: z.object({ name: text }).optional(),
    recurring: recurring.optional(),
    lookup_key: text.optional(),
    nickname: text.optional(),
    metadata: metadata.optional(),
    expand,
  }),
  checkout: z.object({
    mode: z.literal('subscription', 'This stand-in knows mode=subscription only'),
    line_items: listOfOne(z.object({ price: text, quantity: integer.default(1) })),
    success_url: url,
    cancel_url: url.optional(),
    client_reference_id: z.string().max(200).optional(),
    customer: text.optional(),
    customer_email: email.optional(),
    metadata: metadata.optional(),
    subscription_data: z.object({ metadata: metadata.optional() }).optional(),
    expires_at: integer.optional(),
    payment_method_types: z
      .undefined({ error: 'Received unknown parameter: payment_method_types' })
      .optional(),
    expand,
  }),
  subscriptionUpdate: z.object({
    cancel_at_period_end: boolean.optional(),
    cancel_at: z.union([z.literal('').transform(() => null), integer]).optional(),
    metadata: metadata.optional(),
    expand,
  }),
  refund: z.object({
    payment_intent: text.optional(),
    charge: text.optional(),
    amount: amount.refine(value => value > 0, 'Invalid positive integer').optional(),
    reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    metadata: metadata.optional(),
    expand,
  }),
  portal: z.object({ customer: text, return_url: url.optional(), expand }),
}

const bracketed = (path: PropertyKey[]) =>
  path.map((part, place) => (place ? `[${String(part)}]` : String(part))).join('')

const valueAt = (given: unknown, path: PropertyKey[]) =>
  path.reduce<unknown>((value, part) => (value as Record<PropertyKey, unknown> | undefined)?.[part], given)

/** Checks parameters; problems name the parameter as Stripe does: `line_items[0][price]`. */
export function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const param = bracketed(issue?.path ?? [])
  if (issue?.code === 'invalid_type' && valueAt(given, issue.path) === undefined)
    throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  throw invalid(issue?.message ?? 'Invalid request', { param })
}

/** Metadata as it is after an update: what is empty is taken away. */
export function mergedMetadata(
  before: Stripe.Metadata,
  given: Record<string, string> | undefined,
  cleared: boolean,
) {
  if (!given) return before
  const merged = cleared ? {} : { ...before, ...given }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== ''))
}
