import { checks as auth } from '@voxscribe/auth/checks'
import { checks as billing } from '@voxscribe/billing/checks'
import { checks as ingestion } from '@voxscribe/ingestion/checks'
import { checks as notification } from '@voxscribe/notification/checks'
import { type Check, check, type Environment, ok, onlyWith, skipped, wrong } from '@voxscribe/service'
import { checks as transcription } from '@voxscribe/transcription/checks'
import { examine } from './check.ts'
import { brokerCheck, clockCheck, databaseCheck, diskCheck, publicUrlCheck } from './installation.ts'
import { isApart, isNeeded, isProduction, productionCheck } from './production.ts'
import { isGiven, secretsIn, settingsOf } from './settings.ts'

const CORRECT = 'Correct them; docs/configuration.md lists all settings.'
const SIGN_UP = {
  open: 'anyone can open an account (SIGN_UP=open)',
  invited: 'accounts need an invitation (SIGN_UP=invited)',
  closed: 'no new accounts are taken (SIGN_UP=closed)',
}
const AT_HOME = 'PUBLIC_URL leads to this machine alone, or SANDBOX is on'

/** Checks everything that an installation with these settings needs. Returns one line per check. */
export async function diagnose(env: Environment) {
  const settings = settingsOf(env)
  if (typeof settings === 'string')
    return examine([check('settings', CORRECT, async () => wrong(settings, CORRECT))], [])
  const isPublic = isProduction(env)
  const missing = new Set<string>()
  /** Skips a check whose setting is unset. If production needs the setting, the first such check is wrong. */
  function gated(each: Check): Check {
    const { setting = '', otherwise } = each.needs ?? {}
    if (!setting || isGiven(env, setting)) return each
    const isFirst = isPublic && isNeeded(env, setting) && !missing.has(setting)
    missing.add(setting)
    const refused = wrong(`${setting} is not set: production does not do without it`, `Set ${setting}.`)
    return check(each.name, '', async () =>
      isFirst ? refused : skipped(`${setting} is not set: ${otherwise}`),
    )
  }
  const [provider, url] = isGiven(env, 'WHATSAPP_ACCESS_TOKEN')
    ? ['WHATSAPP_ACCESS_TOKEN', settings.WHATSAPP_GRAPH_URL]
    : ['STRIPE_SECRET_KEY', settings.STRIPE_API_URL ?? 'https://api.stripe.com']
  const checks = [
    check('settings', CORRECT, async () => ok('all can be read')),
    isPublic ? productionCheck(settings) : check('production', '', async () => skipped(AT_HOME)),
    ...onlyWith('PUBLIC_URL', 'nothing comes from outside', publicUrlCheck(settings, isPublic)),
    check('sign-up', '', async () => ok(SIGN_UP[settings.SIGN_UP])),
    ...onlyWith('RABBITMQ_URL', 'messages stay in the process', brokerCheck(settings)),
    ...onlyWith('MONGO_URL', 'the embedded database', databaseCheck(settings)),
    ...notification(settings),
    ...ingestion(settings),
    ...billing(settings),
    ...transcription(settings),
    ...auth(settings, isPublic && isApart(env)),
    diskCheck(settings),
    ...onlyWith(provider, 'the sandbox stands in', clockCheck(url)),
  ].map(gated)
  return examine(checks, secretsIn(settings))
}
