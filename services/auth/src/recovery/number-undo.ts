import { hashOf } from '@voxscribe/service'
import { restoreNumber } from '../accounts/former-numbers.ts'
import { beginGeneration } from '../accounts/generations.ts'
import { takeFrom } from '../accounts/sender-link.ts'
import type { Deps } from '../deps.ts'

/**
 * Restores a replaced number or user id, which begins a generation. Later undo links become invalid. Another account
 * that only claims the number loses it; one that has proved it keeps it, and this account is left without a number.
 */
export async function undoNumberChange(deps: Deps, token: string): Promise<void> {
  const { users } = deps
  const tokenHash = hashOf(token)
  let isFree = true
  await beginGeneration(
    deps,
    'undo',
    async () => {
      const user = await users.byNumberToken(tokenHash)
      const { phone } = user.formerNumbers?.find(former => former.tokenHash === tokenHash) ?? {}
      const owner = phone ? await users.otherWithPhone(phone, user._id) : null
      isFree = !owner?.numberProved
      if (owner && isFree) await takeFrom(users, owner, new Date())
      return user
    },
    user => ({ change: restoreNumber(user, tokenHash, isFree) }),
  )
}
