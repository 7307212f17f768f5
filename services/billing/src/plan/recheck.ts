import type { Job } from '@voxscribe/service'
import { stateOnly } from '../minutes/account.ts'
import { eachAccount } from '../minutes/each-account.ts'
import type { PlanManagement } from './manage-plan.ts'
import { currentSubscription, putOffRecheck, rechecked } from './subscription.ts'
import type { Selling } from './synchronise.ts'

export type UpdateCustomer = (userId: string) => Promise<void>

/** Sends a changed e-mail or name to the account's customer at Stripe, if there is one. Idempotent. */
export function createUpdateCustomer({
  accounts,
  stripe,
}: Pick<Selling, 'accounts' | 'stripe'>): UpdateCustomer {
  return async userId => {
    const { customerId, customerStale, email, name, contactRevision } = await accounts.current(userId)
    if (!customerId || !customerStale || !email) return
    await stripe.updateCustomer(customerId, { email, name, revision: contactRevision })
    await accounts.change(userId, current =>
      // A concurrent change still has to be sent.
      current.contactRevision === contactRevision ? stateOnly({ ...current, customerStale: false }) : null,
    )
  }
}

interface Deps extends Selling {
  updateCustomer: UpdateCustomer
  applyBlock: PlanManagement['applyBlock']
}

/** Checks Stripe for accounts that are overdue for an event, in case a webhook was lost. */
export function createRecheckJob({
  accounts,
  synchronise,
  purchaseEnded,
  updateCustomer,
  applyBlock,
  stripe,
  log,
}: Deps): Job {
  return {
    name: 'recheck-subscriptions',
    everyMs: 60_000,
    run: async () =>
      eachAccount(await accounts.toRecheck(), async userId => {
        // Postponed first: a failing or crashing check is retried later each time, by one process at a time.
        const { step } = await accounts.change(userId, (current, _past, at) => putOffRecheck(current, at))
        if (!step) return
        const { recheckAt } = step.account
        await recheck(userId).catch(async err => {
          log.warn({ err, userId }, 'a recheck failed')
          await accounts.change(userId, current => stateOnly({ ...current, recheckAt }))
        })
      }),
  }

  /** Checks the account's customer, its purchase, its subscription, and the customer's other subscriptions. */
  async function recheck(userId: string): Promise<void> {
    await updateCustomer(userId)
    await applyBlock(userId)
    const account = await accounts.current(userId)
    const { checkout, customerId } = account
    const session = checkout && (await stripe.session(checkout.sessionId))
    if (session && session.status !== 'open') await purchaseEnded(userId, session)
    const current = currentSubscription(account)
    const billed = customerId ? await stripe.subscriptionsOf(customerId) : []
    let isUnfinished = false
    for (const id of new Set([...(current ? [current.id] : []), ...billed])) {
      const { facts } = await synchronise(userId, id)
      isUnfinished ||= facts !== null && facts.standing !== 'over'
    }
    await accounts.change(userId, (account, _past, at) => rechecked(account, isUnfinished, at))
  }
}
