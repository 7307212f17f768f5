import { defineService } from '@voxscribe/service'
import { createOperatorCalls } from './accounts/operators.ts'
import { chooseLanguage, disownNumber, giveUpNumber, linkSender } from './accounts/sender-link.ts'
import { openDeps } from './deps.ts'
import { keyUseRoute } from './keys/key-use.ts'
import { openOAuth } from './oauth/oauth.ts'
import { releaseFormer } from './recovery/email-undo.ts'
import { answerResetRequests } from './recovery/password-reset.ts'
import { authRoutes } from './routes.ts'
import { authSettings } from './settings.ts'

/** Accounts, sessions, password reset, profile, countries, languages. */
export const authService = defineService({
  name: 'auth',
  settings: authSettings,
  build: parts => {
    const deps = openDeps(parts)
    const oauth = openOAuth({ ...deps, log: parts.log })
    return {
      handlers: {
        SenderLinked: event => linkSender(deps, event),
        LanguageChosen: event => chooseLanguage(deps.users, event),
        NumberChanged: event => giveUpNumber(deps.users, event),
        NumberDisowned: event => disownNumber(deps, event),
      },
      routes: [...authRoutes(deps), ...oauth.routes, keyUseRoute(deps, parts.settings.RATE_LIMIT_KEY.points)],
      mount: oauth.mount,
      admin: createOperatorCalls(deps),
      jobs: [
        { name: 'answer-reset-requests', everyMs: 1_000, run: () => answerResetRequests(deps) },
        { name: 'release-former', everyMs: 5_000, run: () => releaseFormer(deps) },
        { name: 'delete-erased', everyMs: 5_000, run: deps.users.deleteErased },
      ],
    }
  },
})
