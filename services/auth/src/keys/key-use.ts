import { api } from '@voxscribe/contracts/http'
import { implement, type Route, refusal } from '@voxscribe/service'
import { accountBlocked } from '../accounts/account-blocked.ts'
import type { Deps } from '../deps.ts'

/** `points`: the calls that a person may make with all keys in the window. */
export const keyUseRoute = (
  { keys, users, accessTokens, limits, supportEmail }: Deps,
  points: number,
): Route =>
  implement(api.useKey, async ({ body: { secret, scope, address } }) => {
    const key = await keys.admit(secret, scope)
    const user = await users.byId(key.userId)
    // A new password and what is undone end keys as they end sessions: someone else may have made them.
    if (user?.passwordGeneration !== key.generation) throw refusal('invalid_api_key')
    if (user.blocked) throw accountBlocked(supportEmail)
    // Last: a key that is over must not use up the calls of its owner's others.
    const { left, resetSeconds } = await limits.key.count(key.userId)
    await keys.noteUse(key, address)
    const limit = { points, left: Math.min(left, points), resetSeconds }
    return {
      data: {
        userId: user._id,
        accessToken: accessTokens.issue(user, { key: key._id }),
        scopes: key.scopes,
        limit,
      },
    }
  })
