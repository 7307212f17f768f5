import { defineService } from '@voxscribe/service'
import { createAccessTokens } from './access-tokens.ts'
import { createLimits } from './limits.ts'
import { answerResetRequests } from './password-reset.ts'
import { createResetRequests } from './reset-requests.ts'
import { authRoutes } from './routes.ts'
import { linkSender } from './sender-link.ts'
import { createSessions } from './sessions.ts'
import { authSettings } from './settings.ts'
import { createUsers } from './users.ts'

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
    const now = () => new Date()
    const resets = { users, requests, publicUrl: settings.PUBLIC_URL, ttlMs: settings.RESET_TOKEN_TTL, now }
    return {
      handlers: { SenderLinked: event => linkSender(users, event) },
      routes: authRoutes({ users, sessions, requests, accessTokens, limits, now }),
      mount: app => {
        app.get('/.well-known/jwks.json', (_request, response) => {
          response.json(accessTokens.keySet)
        })
      },
      jobs: [{ name: 'password resets', everyMs: 1_000, run: () => answerResetRequests(resets) }],
    }
  },
})
