import { invalid } from './errors.ts'
import { OF_SUBSCRIPTION } from './invoice-object.ts'
import type { Where } from './store.ts'

type Query = Record<string, unknown>

const text = (query: Query, name: string) => {
  const value = query[name]
  if (value !== undefined && typeof value !== 'string')
    throw invalid(`Invalid string: ${name}`, { param: name })
  return value
}
const by =
  (...names: string[]) =>
  (query: Query): Where =>
    Object.fromEntries(names.map(name => [`$.${name}`, text(query, name)]))

const flag = (query: Query, name: string) => {
  const value = text(query, name)
  return value === undefined ? undefined : Number(value === 'true')
}

/** What can be listed below `/v1`, and by what; each can be retrieved by its id too. */
export const LISTS: { path: string; object: string; where(query: Query): Where }[] = [
  { path: '/customers', object: 'customer', where: by('email') },
  { path: '/products', object: 'product', where: query => ({ '$.active': flag(query, 'active') }) },
  {
    path: '/prices',
    object: 'price',
    where: query => ({
      ...by('product', 'currency', 'type')(query),
      '$.active': flag(query, 'active'),
      '$.lookup_key': Array.isArray(query.lookup_keys) ? String(query.lookup_keys[0]) : undefined,
    }),
  },
  {
    path: '/checkout/sessions',
    object: 'checkout.session',
    where: by('customer', 'subscription', 'status', 'payment_intent'),
  },
  {
    path: '/subscriptions',
    object: 'subscription',
    where: query => {
      const status = text(query, 'status')
      return {
        ...by('customer')(query),
        '$.items.data[0].price.id': text(query, 'price'),
        // Without a status, what is over is left out.
        '$.status': status === 'all' ? undefined : (status ?? { not: 'canceled' }),
      }
    },
  },
  {
    path: '/invoices',
    object: 'invoice',
    where: query => ({ ...by('customer', 'status')(query), [OF_SUBSCRIPTION]: text(query, 'subscription') }),
  },
  {
    path: '/invoice_payments',
    object: 'invoice_payment',
    where: query => ({
      ...by('invoice', 'status')(query),
      '$.payment.payment_intent': text((query.payment ?? {}) as Query, 'payment_intent'),
    }),
  },
  { path: '/payment_intents', object: 'payment_intent', where: by('customer') },
  { path: '/charges', object: 'charge', where: by('customer', 'payment_intent') },
  { path: '/refunds', object: 'refund', where: by('charge', 'payment_intent') },
  { path: '/disputes', object: 'dispute', where: by('charge', 'payment_intent') },
  { path: '/events', object: 'event', where: by('type') },
]
