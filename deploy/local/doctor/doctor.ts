import { type Environment, offerOf } from '@voxscribe/service'
import { type Check, check, examine, ok, skipped, wrong } from './check.ts'
import * as installation from './installation.ts'
import {
  isApart,
  isNeeded,
  isProduction,
  keysCheck,
  productionCheck,
  retentionCheck,
  storageCheck,
} from './production.ts'
import { mailCheck, stripeChecks, telegramChecks, twilioCheck } from './providers.ts'
import { isGiven, secretsIn, settingsOf } from './settings.ts'
import { whatsappChecks } from './whatsapp.ts'

const CORRECT = 'Correct them; docs/configuration.md lists all settings.'
const SANDBOX = 'the sandbox stands in'
const SIGN_UP = {
  open: 'anyone can open an account (SIGN_UP=open)',
  invited: 'accounts need an invitation (SIGN_UP=invited)',
  closed: 'no new accounts are taken (SIGN_UP=closed)',
}
const AT_HOME = 'PUBLIC_URL leads to this machine alone, or SANDBOX is on'

/** Looks at everything that an installation with these settings needs. Returns one line a check. */
export async function diagnose(env: Environment) {
  const settings = settingsOf(env)
  if (typeof settings === 'string')
    return examine([check('settings', CORRECT, async () => wrong(settings, CORRECT))], [])
  const isPublic = isProduction(env)
  const missing = new Set<string>()
  /** Checks that are skipped without this setting; where production needs it, the first one is wrong. */
  const given = (setting: string, otherwise: string, ...checks: Check[]) => {
    if (isGiven(env, setting)) return checks
    const isFirst = isPublic && isNeeded(env, setting) && !missing.has(setting)
    missing.add(setting)
    const found = skipped(`${setting} is not set: ${otherwise}`)
    const refused = wrong(`${setting} is not set: production does not do without it`, `Set ${setting}.`)
    return checks.map(({ name }, place) =>
      check(name, '', async () => (isFirst && place === 0 ? refused : found)),
    )
  }
  const [provider, url] = isGiven(env, 'WHATSAPP_ACCESS_TOKEN')
    ? ['WHATSAPP_ACCESS_TOKEN', settings.WHATSAPP_GRAPH_URL]
    : ['STRIPE_SECRET_KEY', settings.STRIPE_API_URL ?? 'https://api.stripe.com']
  const checks = [
    check('settings', CORRECT, async () => ok('all can be read')),
    isPublic ? productionCheck(settings) : check('production', '', async () => skipped(AT_HOME)),
    ...given('PUBLIC_URL', 'nothing comes from outside', installation.publicUrlCheck(settings, isPublic)),
    check('sign-up', '', async () => ok(SIGN_UP[settings.SIGN_UP])),
    installation.offerCheck(settings),
    ...given('WHATSAPP_ACCESS_TOKEN', SANDBOX, ...whatsappChecks(settings)),
    ...given('WHATSAPP_ACCESS_TOKEN', SANDBOX, installation.verifyTokenCheck(settings)),
    ...given('TWILIO_ACCOUNT_SID', 'Twilio is off', twilioCheck(settings)),
    ...given('TELEGRAM_BOT_TOKEN', 'Telegram is off', ...telegramChecks(settings)),
    ...(offerOf(settings).plans
      ? given('STRIPE_SECRET_KEY', SANDBOX, ...stripeChecks(settings))
      : stripeChecks(settings).map(({ name }) => check(name, '', async () => skipped('nothing is sold')))),
    ...given('SMTP_URL', SANDBOX, mailCheck(settings)),
    installation.speechCheck(settings),
    ...given('OPENAI_API_KEY', 'models on this machine do not end', installation.speechModelCheck(settings)),
    ...given('TEXT_MODEL', 'no summaries and translations', installation.textModelCheck(settings)),
    installation.diskCheck(settings),
    ...given(provider, SANDBOX, installation.clockCheck(url)),
    ...given('RABBITMQ_URL', 'messages stay in the process', installation.brokerCheck(settings)),
    ...given('MONGO_URL', 'the embedded database', installation.databaseCheck(settings)),
    ...given('JWT_PRIVATE_KEY', 'made at the first start', keysCheck(settings, isPublic && isApart(env))),
    ...given('S3_BUCKET', 'media are files in DATA_DIR', storageCheck(settings)),
    ...given('MONGO_URL', 'ask ingestion’s log', retentionCheck(settings)),
  ]
  return examine(checks, secretsIn(settings))
}
