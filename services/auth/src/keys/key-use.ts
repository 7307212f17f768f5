import { api, type CheckedBodyOf } from '@voxscribe/contracts/http'
import { implement, type Route, refusal } from '@voxscribe/service'
import { accountBlocked } from '../accounts/account-blocked.ts'
import type { Deps } from '../deps.ts'

/** `points`: calls per window that a person may make with all keys and connections together. */
export const keyUseRoute = (deps: Deps, points: number): Route =>
  implement(api.useKey, async ({ body }) => {
    const isConnection = body.door && !body.secret.startsWith('vox_')
    const { user, id, scopes, noteUse } = await (isConnection ? connectionOf : keyOf)(deps, body)
    if (user.blocked) throw accountBlocked(deps.supportEmail)
    // Counted last, so that an ended key doesn't use up its owner's calls.
    const { left, resetSeconds } = await deps.limits.key.count(user._id)
    await noteUse()
    const accessToken = deps.accessTokens.issue(user, { key: id })
    const limit = { points, left: Math.min(left, points), resetSeconds }
    return { data: { userId: user._id, accessToken, scopes, limit } }
  })

type Use = CheckedBodyOf<typeof api.useKey>

async function keyOf({ keys, users }: Deps, { secret, scope, address }: Use) {
  const key = await keys.admit(secret, scope)
  const user = await users.byId(key.userId)
  // A new password or an undo ends keys along with sessions, because someone else may have made them.
  if (user?.passwordGeneration !== key.generation) throw refusal('invalid_api_key')
  return { user, id: key._id, scopes: key.scopes, noteUse: () => keys.noteUse(key, address) }
}

async function connectionOf({ oauth, users, publicUrl }: Deps, { secret, scope, door }: Use) {
  const { id, owner, scopes, noteUse } = await oauth.admit(secret, `${publicUrl}/${door}`)
  const user = await users.byId(owner._id)
  if (user?.generation !== owner.generation) throw refusal('connection_ended')
  if (scope && !scopes.includes(scope)) throw refusal('missing_scope', { scope })
  return { user, id, scopes, noteUse }
}
