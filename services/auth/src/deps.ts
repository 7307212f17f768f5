import type { Users } from './accounts/users.ts'
import type { Keys } from './keys/keys.ts'
import type { Limits } from './limits.ts'
import type { ResetRequests } from './recovery/reset-requests.ts'
import type { AccessTokens } from './sessions/access-tokens.ts'
import type { Devices } from './sessions/devices.ts'
import type { Sessions } from './sessions/sessions.ts'

/** The dependencies of auth's calls, handlers and jobs. */
export interface Deps {
  users: Users
  sessions: Sessions
  keys: Keys
  requests: ResetRequests
  accessTokens: AccessTokens
  limits: Limits
  devices: Devices
  publicUrl: string
  supportEmail: string
  resetTtlMs: number
  /** The installation's. */
  retentionDays: number
}
