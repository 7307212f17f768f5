import type { Environment } from '@voxscribe/service'
import { type Check, check, examine, ok, skipped, wrong } from './check.ts'
import * as installation from './installation.ts'
import { mailCheck, stripeChecks, twilioCheck } from './providers.ts'
import { isGiven, secretsIn, settingsOf } from './settings.ts'
import { whatsappChecks } from './whatsapp.ts'

const CORRECT = 'Correct them; docs/configuration.md lists all settings.'
const SANDBOX = 'the sandbox stands in'

/** Looks at everything that an installation with these settings needs. Returns one line a check. */
export async function diagnose(env: Environment) {
  const settings = settingsOf(env)
  if (typeof settings === 'string')
    return examine([check('settings', CORRECT, async () => wrong(settings, CORRECT))], [])
  /** Checks that are skipped without this setting. */
  const given = (setting: string, otherwise: string, ...checks: Check[]) =>
    isGiven(env, setting)
      ? checks
      : checks.map(({ name }) => check(name, '', async () => skipped(`${setting} is not set: ${otherwise}`)))
  const [provider, url] = isGiven(env, 'WHATSAPP_ACCESS_TOKEN')
    ? ['WHATSAPP_ACCESS_TOKEN', settings.WHATSAPP_GRAPH_URL]
    : ['STRIPE_SECRET_KEY', settings.STRIPE_API_URL ?? 'https://api.stripe.com']
  const checks = [
    check('settings', CORRECT, async () => ok('all can be read')),
    ...given('PUBLIC_URL', 'nothing comes from outside', installation.publicUrlCheck(settings)),
    ...given('WHATSAPP_ACCESS_TOKEN', SANDBOX, ...whatsappChecks(settings)),
    ...given('WHATSAPP_ACCESS_TOKEN', SANDBOX, installation.verifyTokenCheck(settings)),
    ...given('TWILIO_ACCOUNT_SID', 'Twilio is off', twilioCheck(settings)),
    ...given('STRIPE_SECRET_KEY', SANDBOX, ...stripeChecks(settings)),
    ...given('SMTP_URL', SANDBOX, mailCheck(settings)),
    installation.speechCheck(settings),
    ...given('OPENAI_API_KEY', 'models on this machine do not end', installation.speechModelCheck(settings)),
    ...given('TEXT_MODEL', 'no summaries and translations', installation.textModelCheck(settings)),
    installation.diskCheck(settings),
    ...given(provider, SANDBOX, installation.clockCheck(url)),
    ...given('RABBITMQ_URL', 'messages stay in the process', installation.brokerCheck(settings)),
    ...given('MONGO_URL', 'the embedded database', installation.databaseCheck(settings)),
  ]
  return examine(checks, secretsIn(settings))
}
