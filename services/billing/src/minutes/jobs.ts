import type { Job } from '@voxscribe/service'
import type { Accounts } from './accounts.ts'
import { question } from './quota.ts'

/** Accounts looked up at once. */
const AT_ONCE = 100
/** A turn of a job ends after this many rounds, whatever is left; the next turn goes on. */
const ROUNDS = 100

/** Works through what there is, some accounts at a time. `some` returns how many there were. */
async function workThrough(some: () => Promise<number>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) if ((await some()) < AT_ONCE) return
}

/** Jobs that keep minutes right, also for users who do nothing. */
export function createMinutesJobs({ accounts }: { accounts: Accounts }): Job[] {
  return [
    {
      name: 'roll over free months',
      everyMs: 60_000,
      run: () =>
        workThrough(async () => {
          const users = await accounts.monthOver(AT_ONCE)
          for (const userId of users) await accounts.rollOver(userId)
          return users.length
        }),
    },
    {
      name: 'question old reservations',
      everyMs: 60_000,
      run: () =>
        workThrough(async () => {
          const users = await accounts.withQuestions(AT_ONCE)
          for (const userId of users)
            await accounts.change(userId, (current, _past, at) => question(current, at))
          return users.length
        }),
    },
    {
      name: 'move entries to the ledger',
      everyMs: 30_000,
      run: () => workThrough(() => accounts.moveEntries({ limit: AT_ONCE })),
    },
  ]
}
