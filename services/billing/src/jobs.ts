import type { Job, Logger } from '@voxscribe/service'
import type { Accounts } from './minutes/accounts.ts'
import type { Purchases } from './plan/purchases.ts'

/** Accounts looked up at once. */
const AT_ONCE = 100
/** A turn of a job ends after so many accounts, whatever is left; the next turn goes on. */
const ROUNDS = 100

/** Works through what there is, some accounts at a time. `some` answers how many there were. */
async function workThrough(some: () => Promise<number>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) if ((await some()) < AT_ONCE) return
}

/** What happens by itself, also for users who do nothing. */
export const createJobs = ({ accounts }: { accounts: Accounts }): Job[] => [
  {
    name: 'roll over free months',
    everyMs: 60_000,
    run: () =>
      workThrough(async () => {
        const users = await accounts.monthOver(AT_ONCE)
        for (const userId of users) await accounts.change(userId, () => null)
        return users.length
      }),
  },
  {
    name: 'move entries to the ledger',
    everyMs: 30_000,
    run: () => workThrough(() => accounts.moveEntries({ limit: AT_ONCE })),
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
