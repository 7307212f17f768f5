import type { Job } from '@voxscribe/service'
import type { Accounts } from './accounts.ts'
import { eachAccount } from './each-account.ts'

/** Jobs that keep minutes right, also for users who do nothing. */
export const createMinutesJobs = ({ accounts }: { accounts: Accounts }): Job[] => [
  {
    name: 'roll-over-months',
    everyMs: 60_000,
    run: () => eachAccount(accounts.monthOver, accounts.rollOver),
  },
  {
    name: 'move-to-ledger',
    everyMs: 30_000,
    run: () => eachAccount(accounts.withEntries, accounts.moveEntries),
  },
]
