import type { Job, Logger } from '@voxscribe/service'
import type { Accounts } from './accounts.ts'
import type { Purchases } from './purchases.ts'

/** Accounts in one turn of a job; the rest has the next turn. */
const AT_ONCE = 100

/** What happens by itself, also for users who do nothing. */
export const createJobs = ({ accounts }: { accounts: Accounts }): Job[] => [
  {
    name: 'roll over free months',
    everyMs: 60_000,
    async run() {
      for (const userId of await accounts.monthOver(AT_ONCE)) await accounts.change(userId, () => null)
    },
  },
  {
    name: 'move entries to the ledger',
    everyMs: 30_000,
    async run() {
      await accounts.moveEntries()
    },
  },
]

/** Asks Stripe about accounts of which no news came in time. One that cannot be asked about does not hold up others. */
export const createRecheckJob = ({
  accounts,
  purchases,
  log,
}: {
  accounts: Accounts
  purchases: Purchases
  log: Logger
}): Job => ({
  name: 'recheck subscriptions',
  everyMs: 60_000,
  async run() {
    for (const userId of await accounts.toRecheck(AT_ONCE)) {
      await purchases.recheck(userId).catch(error => log.warn({ err: error, userId }, 'a recheck failed'))
    }
  },
})
