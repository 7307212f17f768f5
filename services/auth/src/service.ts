import { defineService } from '@voxscribe/service'
import { createUsers } from './accounts/users.ts'
import { createHandlers } from './handlers.ts'
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
    const users = createUsers(documents)
    const sessions = createSessions(documents, settings.REFRESH_TOKEN_TTL)
    const requests = createResetRequests(documents)
    const accessTokens = createAccessTokens(settings.JWT_PRIVATE_KEY, settings.ACCESS_TOKEN_TTL)
    const limits = createLimits(rateLimits, settings)
    const devices = createDevices(settings.JWT_PRIVATE_KEY, settings.PUBLIC_URL)
    const now = () => new Date()
    const { PUBLIC_URL: publicUrl, RESET_TOKEN_TTL: resetTtlMs } = settings
    const resets = { users, requests, publicUrl, ttlMs: resetTtlMs, now }
    return {
      handlers: createHandlers(users),
      routes: authRoutes({
        users,
        sessions,
        requests,
        accessTokens,
        limits,
        devices,
        publicUrl,
        resetTtlMs,
        now,
      }),
      mount: app => {
        app.get('/.well-known/jwks.json', (_request, response) => {
          response.json(accessTokens.keySet)
        })
      },
      jobs: [
        { name: 'answer-reset-requests', everyMs: 1_000, run: () => answerResetRequests(resets) },
        { name: 'release-former-emails', everyMs: 5_000, run: () => releaseFormerEmails({ users, now }) },
      ],
    }
  },
})
