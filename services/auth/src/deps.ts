import { AccessEnded } from '@voxscribe/contracts/events'
import { currentTrace, type Parts, type RateLimits } from '@voxscribe/service'
import { createUsers } from './accounts/users.ts'
import { createInvitations } from './invitations/invitations.ts'
import { createKeys } from './keys/keys.ts'
import { createOAuthStore } from './oauth/store.ts'
import { openProvider } from './oidc/provider.ts'
import { createPasskeys } from './passkeys/passkeys.ts'
import { createResetRequests } from './recovery/reset-requests.ts'
import { createAccessTokens } from './sessions/access-tokens.ts'
import { createDevices } from './sessions/devices.ts'
import { createPasses } from './sessions/passes.ts'
import { createSessions } from './sessions/sessions.ts'
import type { AuthSettings } from './settings.ts'

/** Largest difference between machines' clocks; an end is remembered this much longer than access tokens are valid. */
const CLOCKS_DIFFER_MS = 900_000

/** Programs that register for OAuth or present a metadata document, per address. */
const NEW_PROGRAMS = { points: 60, seconds: 3_600 }
/** Consent requests of programs, per address; each is stored for ten minutes. */
const QUESTIONS = { points: 600, seconds: 3_600 }

/** New keys and passkeys per person: each causes mails to an address that may be a stranger's. */
const NEW_WAYS = { points: 100, seconds: 86_400 }

export type Deps = ReturnType<typeof openDeps>

/** Opens the dependencies of auth's calls, handlers and jobs. */
export function openDeps({ settings, documents, rateLimits, log }: Parts<AuthSettings>) {
  const users = createUsers(documents)
  async function publishEnded(userId: string, bearerId: string): Promise<void> {
    const until = new Date(Date.now() + settings.ACCESS_TOKEN_TTL + CLOCKS_DIFFER_MS).toISOString()
    await users.publish(userId, AccessEnded.create({ userId, bearerId, until }, { traceId: currentTrace() }))
  }
  return {
    users,
    keys: createKeys(documents, publishEnded),
    oauth: createOAuthStore(documents, publishEnded),
    invitations: createInvitations(documents, settings.PUBLIC_URL),
    passkeys: createPasskeys(documents, users),
    challengeTtlMs: settings.PASSKEY_CHALLENGE_TTL,
    passes: createPasses(documents),
    provider: openProvider(settings, log),
    oidcOnly: settings.OIDC_ONLY,
    sessions: createSessions(documents, settings.REFRESH_TOKEN_TTL, publishEnded),
    requests: createResetRequests(documents),
    accessTokens: createAccessTokens(settings.JWT_PRIVATE_KEY, settings.ACCESS_TOKEN_TTL),
    limits: createLimits(rateLimits, settings),
    devices: createDevices(settings.JWT_PRIVATE_KEY, settings.PUBLIC_URL),
    eraseOwned: documents.eraseOwned,
    signUp: settings.SIGN_UP,
    publicUrl: settings.PUBLIC_URL,
    supportEmail: settings.SUPPORT_EMAIL,
    isPrivateAllowed: settings.HOOKS_ALLOW_PRIVATE,
    resetTtlMs: settings.RESET_TOKEN_TTL,
    retentionDays: settings.RETENTION_DAYS,
  }
}

const createLimits = (rateLimits: RateLimits, settings: AuthSettings) => ({
  loginOfAccount: rateLimits('login-account', settings.RATE_LIMIT_LOGIN_ACCOUNT),
  loginFromAddress: rateLimits('login-address', settings.RATE_LIMIT_LOGIN_ADDRESS),
  beginOidc: rateLimits('begin-oidc', settings.RATE_LIMIT_LOGIN_ADDRESS),
  passkeyOptions: rateLimits('passkey-options', settings.RATE_LIMIT_LOGIN_ADDRESS),
  register: rateLimits('register', settings.RATE_LIMIT_REGISTER),
  forgotOfAccount: rateLimits('forgot-account', settings.RATE_LIMIT_FORGOT_ACCOUNT),
  forgotFromAddress: rateLimits('forgot-address', settings.RATE_LIMIT_FORGOT_ADDRESS),
  invite: rateLimits('invite', settings.RATE_LIMIT_INVITE),
  inviteTo: rateLimits('invite-address', settings.RATE_LIMIT_FORGOT_ACCOUNT),
  password: rateLimits('password', settings.RATE_LIMIT_PASSWORD),
  changePassword: rateLimits('change-password', settings.RATE_LIMIT_CHANGE_PASSWORD),
  updateProfile: rateLimits('update-profile', settings.RATE_LIMIT_PROFILE),
  newWay: rateLimits('new-way', NEW_WAYS, true),
  key: rateLimits('key', settings.RATE_LIMIT_KEY),
  program: rateLimits('program', NEW_PROGRAMS),
  question: rateLimits('question', QUESTIONS),
  refresh: rateLimits('refresh', settings.RATE_LIMIT_REFRESH),
})
