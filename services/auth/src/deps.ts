import { AccessEnded } from '@voxscribe/contracts/events'
import { currentTrace, type Parts } from '@voxscribe/service'
import { createUsers } from './accounts/users.ts'
import { createKeys } from './keys/keys.ts'
import { createLimits } from './limits.ts'
import { createResetRequests } from './recovery/reset-requests.ts'
import { createAccessTokens } from './sessions/access-tokens.ts'
import { createDevices } from './sessions/devices.ts'
import { createSessions } from './sessions/sessions.ts'
import type { AuthSettings } from './settings.ts'

/** Between machines, at most: the end of an access is known for longer than its tokens last on any of them. */
const CLOCKS_DIFFER_MS = 900_000

export type Deps = ReturnType<typeof openDeps>

/** Opens the dependencies of auth's calls, handlers and jobs. */
export function openDeps({ settings, documents, rateLimits }: Parts<AuthSettings>) {
  const users = createUsers(documents)
  async function tellEnded(userId: string, bearerId: string): Promise<void> {
    const until = new Date(Date.now() + settings.ACCESS_TOKEN_TTL + CLOCKS_DIFFER_MS).toISOString()
    await users.publish(userId, AccessEnded.create({ userId, bearerId, until }, { traceId: currentTrace() }))
  }
  return {
    users,
    keys: createKeys(documents, tellEnded),
    sessions: createSessions(documents, settings.REFRESH_TOKEN_TTL, tellEnded),
    requests: createResetRequests(documents),
    accessTokens: createAccessTokens(settings.JWT_PRIVATE_KEY, settings.ACCESS_TOKEN_TTL),
    limits: createLimits(rateLimits, settings),
    devices: createDevices(settings.JWT_PRIVATE_KEY, settings.PUBLIC_URL),
    eraseOwned: documents.eraseOwned,
    publicUrl: settings.PUBLIC_URL,
    supportEmail: settings.SUPPORT_EMAIL,
    resetTtlMs: settings.RESET_TOKEN_TTL,
    /** The installation's. */
    retentionDays: settings.RETENTION_DAYS,
  }
}
