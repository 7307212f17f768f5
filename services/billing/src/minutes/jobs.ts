import type { Job } from '@voxscribe/service'
import type { Accounts } from './accounts.ts'
import { eachAccount } from './each-account.ts'
import { question } from './quota.ts'

/** Jobs that keep minutes right, also for users who do nothing. */
export const createMinutesJobs = ({ accounts }: { accounts: Accounts }): Job[] => [
  {
    name: 'roll over free months',
    everyMs: 60_000,
    run: () => eachAccount(accounts.monthOver, accounts.rollOver),
  },
  {
    name: 'question old reservations',
    everyMs: 60_000,
    run: () =>
      eachAccount(accounts.withQuestions, userId =>
        accounts.change(userId, (current, _past, at) => question(current, at)),
      ),
  },
  {
    name: 'move entries to the ledger',
    everyMs: 30_000,
    run: () => eachAccount(accounts.withEntries, accounts.moveEntries),
  },
]
