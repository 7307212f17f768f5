import { excusesOf } from './excuses.ts'
import type { Finding, Ledgers, Statement } from './ledgers.ts'
import type { Errand } from './plan.ts'
import type { SentMail } from './shop.ts'

export const isBuyer = (errands: Errand[]): boolean => errands.some(({ deed }) => deed === 'buy')

/** Checks that each payment at Stripe is in the account once, and that the account has Stripe's plan. */
export async function payments({ world, undone }: Ledgers, statements: Statement[]): Promise<Finding> {
  const broken = [...undone]
  let [atStripe, bought] = [0, 0]
  for (const { person, paid, plan } of statements) {
    const subscriptions = await world.shop.subscriptionsOf(person.id)
    const [subscription] = subscriptions
    if (subscriptions.length > 1) broken.push(`${person.email} has bought ${subscriptions.length} times`)
    const invoices = subscription ? await world.shop.paidBy(subscription.customer) : []
    atStripe += invoices.length
    bought += subscriptions.length
    const inAccount = paid.filter(({ paymentStatus }) => paymentStatus === 'paid').map(({ id }) => id)
    const atTheirs = invoices.map(({ id }) => id)
    if (inAccount.sort().join() !== atTheirs.sort().join())
      broken.push(`${person.email} has paid ${invoices.length} times, the account says ${inAccount.length}`)
    const isPaid = subscription && subscription.status !== 'canceled'
    const expected = [isPaid ? 'monthly' : 'free', isPaid && subscription.cancel_at ? 'canceling' : 'active']
    if ([plan.plan, plan.status].join() !== expected.join())
      broken.push(`${person.email} is ${plan.plan} ${plan.status}, at Stripe ${expected.join(' ')}`)
  }
  return {
    what: 'each payment is once in its account',
    count: `${atStripe} payments for ${bought} purchases`,
    broken,
  }
}

/** Subjects of the mails that a deed causes. */
const MAILS: Partial<Record<Errand['deed'], string>> = {
  forget: 'Reset your Voxscribe password',
  buy: 'Your Pro plan has started',
  cancel: 'Your Pro plan will end',
  end: 'Your Pro plan has ended',
}

/** SMTP has no idempotency keys, but each mail has an id: a second copy is excused in the cases of a second answer. */
export async function mails(ledgers: Ledgers, statements: Statement[]): Promise<Finding> {
  const isExcused = excusesOf(/^notification|^mongo|^database|^mail/, ledgers)
  const broken: string[] = []
  let [count, again] = [0, 0]
  for (const { person, errands } of statements) {
    const sent = (await ledgers.world.shop.mailsTo(person.email)).toSorted((a, b) => a.at.localeCompare(b.at))
    const byId = [...Map.groupBy(sent, idOf).values()]
    count += byId.length
    for (const { deed } of errands) {
      const subject = MAILS[deed]
      if (subject && !sent.some(mail => mail.subject === subject))
        broken.push(`${person.email} has no mail “${subject}”`)
    }
    for (const earlier of byId.flatMap(same => same.slice(0, -1))) {
      again += 1
      if (!isExcused(Date.parse(earlier.at)))
        broken.push(`${person.email} has “${earlier.subject}” twice without a fault`)
    }
  }
  return { what: 'each mail has come', count: `${count}; ${again} a second time`, broken }
}

const idOf = ({ headers }: SentMail) => headers.find(({ name }) => /^message-id$/i.test(name))?.value
