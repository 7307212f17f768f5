import { UserUpdated } from '@voxscribe/contracts/events'
import { accountData } from './accounts/account.ts'
import type { Users } from './accounts/users.ts'

const AT_ONCE = 100

/**
 * Brings accounts of version 0.1.0 up to date: reserves their address for them, and sends the accounts to the other
 * services once more, as those lack the number (billing) and when it was claimed (ingestion, notification). Each is one
 * conditional write, so no process repeats what has been done.
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
