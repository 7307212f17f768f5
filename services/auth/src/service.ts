import { defineService } from '@voxscribe/service'
import { eraseRest } from './accounts/erasure.ts'
import { createOperatorCalls } from './accounts/operators.ts'
import { chooseLanguage, disownNumber, linkSender } from './accounts/sender-link.ts'
import { createUsers } from './accounts/users.ts'
import { mountKeyUse } from './keys/key-use.ts'
import { createKeys } from './keys/keys.ts'
import { createLimits } from './limits.ts'
import { releaseFormerEmails } from './recovery/email-undo.ts'
import { answerResetRequests } from './recovery/password-reset.ts'
import { createResetRequests } from './recovery/reset-requests.ts'
import { authRoutes } from './routes.ts'
import { createAccessTokens } from './sessions/access-tokens.ts'
import { createDevices } from './sessions/devices.ts'
import { createSessions } from './sessions/sessions.ts'
import { authSettings } from './settings.ts'

/** Accounts, sessions, password reset, profile, countries, languages. */
export const authService = defineService({
  name: 'auth',
  settings: authSettings,
  build: ({ settings, documents, rateLimits }) => {
    const deps = {
      users: createUsers(documents),
      keys: createKeys(documents),
      sessions: createSessions(documents, settings.REFRESH_TOKEN_TTL),
      requests: createResetRequests(documents),
      accessTokens: createAccessTokens(settings.JWT_PRIVATE_KEY, settings.ACCESS_TOKEN_TTL),
      limits: createLimits(rateLimits, settings),
      devices: createDevices(settings.JWT_PRIVATE_KEY, settings.PUBLIC_URL),
      publicUrl: settings.PUBLIC_URL,
      supportEmail: settings.SUPPORT_EMAIL,
      resetTtlMs: settings.RESET_TOKEN_TTL,
      retentionDays: settings.RETENTION_DAYS,
    }
    return {
      handlers: {
        SenderLinked: event => linkSender(deps.users, event),
        LanguageChosen: event => chooseLanguage(deps.users, event),
        NumberDisowned: event => disownNumber(deps.users, event),
      },
      erase: userId => eraseRest(deps, userId),
      routes: authRoutes(deps),
      mount: app => mountKeyUse(app, deps, settings.RATE_LIMIT_KEY.points),
      admin: createOperatorCalls(deps),
      jobs: [
        { name: 'answer-reset-requests', everyMs: 1_000, run: () => answerResetRequests(deps) },
        { name: 'release-former-emails', everyMs: 5_000, run: () => releaseFormerEmails(deps) },
        { name: 'delete-erased', everyMs: 5_000, run: deps.users.deleteErased },
      ],
    }
  },
})
