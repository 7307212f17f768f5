import { KeyScope } from '@voxscribe/contracts/http'
import { checked, refusal } from '@voxscribe/service'
import express, { type Express } from 'express'
import { z } from 'zod'
import { accountBlocked } from '../accounts/account-blocked.ts'
import type { Deps } from '../deps.ts'

const Use = z.object({ secret: z.string().max(200), scope: KeyScope.optional(), address: z.string() })

/**
 * Mounts `POST /internal/keys/use` for the gateway: exchanges a key for an access token of its owner and counts the
 * call. `points`: the calls that a person may make with all keys in the window.
 */
export function mountKeyUse(
  app: Express,
  { keys, users, accessTokens, limits, supportEmail }: Deps,
  points: number,
): void {
  app.post('/internal/keys/use', express.json(), async (request, response) => {
    const { secret, scope, address } = checked(Use, request.body)
    const key = await keys.admit(secret, scope)
    const user = await users.byId(key.userId)
    // A new password and what is undone end keys as they end sessions: someone else may have made them.
    if (user?.passwordGeneration !== key.generation) throw refusal('invalid_api_key')
    if (user.blocked) throw accountBlocked(supportEmail)
    // Last: a key that is over must not use up the calls of its owner's others.
    const { left, resetSeconds } = await limits.key.count(key.userId)
    await keys.noteUse(key, address)
    const limit = { points, left: Math.min(left, points), resetSeconds }
    response.json({
      success: true,
      message: 'OK',
      data: {
        userId: user._id,
        accessToken: accessTokens.issue(user, { key: key._id }),
        scopes: key.scopes,
        limit,
      },
    })
  })
}
