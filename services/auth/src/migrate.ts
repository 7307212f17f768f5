import { UserUpdated } from '@voxscribe/contracts/events'
import { accountData } from './account.ts'
import type { Users } from './users.ts'

const AT_ONCE = 100

/**
 * Brings accounts of version 0.1.0 up to date: their address is kept for them, and the other services hear of them
 * once more, as they lack the number (billing) and when it was claimed (ingestion, notification). Each is one
 * conditional write: what was done is not done again, by whichever process.
 */
export async function migrate(users: Users): Promise<void> {
  for (;;) {
    const older = await users.withoutEmails(AT_ONCE)
    if (!older.length) return
    for (const user of older) {
      const told = UserUpdated.create(accountData({ ...user, revision: user.revision + 1 }))
      await users.keepEmail(user, [told])
    }
  }
}
