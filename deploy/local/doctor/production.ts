import { isHere } from '@voxscribe/sandbox'
import { type Check, check, type Environment, ok, wrong } from '@voxscribe/service'
import { type DoctorSettings, isGiven, publishedIn } from './settings.ts'

/** Whether settings are checked as production's. `SANDBOX=on` declares that stand-ins are intended. */
export const isProduction = ({ SANDBOX, NODE_ENV, PUBLIC_URL }: Environment): boolean =>
  SANDBOX === 'off' ||
  (SANDBOX !== 'on' && (NODE_ENV === 'production' || Boolean(PUBLIC_URL && !isHere(PUBLIC_URL))))

const PROVIDERS = {
  WHATSAPP_GRAPH_URL: 'https://graph.facebook.com',
  TWILIO_API_URL: 'https://api.twilio.com',
  TELEGRAM_API_URL: 'https://api.telegram.org',
  STRIPE_API_URL: 'https://api.stripe.com',
}
/** Settings for tests, with the values that production must not have. */
const FOR_TESTS = { HOOKS_ALLOW_PRIVATE: true, RATE_LIMITS: false, API_DOCS: true }

/** Checks for stand-ins for providers, settings for tests, and published secrets. */
export function productionCheck(settings: DoctorSettings): Check {
  const next = 'Unset them, or set SANDBOX=on where the stand-ins are meant.'
  return check('production', next, async () => {
    const given: Record<string, unknown> = settings
    const faults = [
      ...(settings.SANDBOX_URL ? ['SANDBOX_URL is set'] : []),
      ...Object.entries(PROVIDERS).flatMap(([name, real]) =>
        (given[name] ?? real) === real ? [] : [`${name} leads to a stand-in`],
      ),
      ...Object.entries(FOR_TESTS).flatMap(([name, value]) =>
        given[name] === value ? [`${name} is for tests`] : [],
      ),
      ...publishedIn(settings).map(name => `${name} is a published secret`),
    ]
    return faults.length ? wrong(faults.join('; '), next) : ok('no stand-in, and no setting for tests')
  })
}

/** Whether the settings are those of services in separate processes: a single process uses neither of these two. */
export const isApart = (env: Environment) => isGiven(env, 'RABBITMQ_URL') || isGiven(env, 'JWT_PUBLIC_KEY')

export function isNeeded(env: Environment, setting: string): boolean {
  const needed = [
    ...['PUBLIC_URL', 'WHATSAPP_ACCESS_TOKEN', 'SMTP_URL'],
    ...(isApart(env) ? ['MONGO_URL', 'RABBITMQ_URL', 'JWT_PRIVATE_KEY'] : []),
    // In one process, the sandbox would replace it.
    ...(isApart(env) || [env.SANDBOX, env.PLANS, env.FREE_MINUTES].includes('off')
      ? []
      : ['STRIPE_SECRET_KEY']),
  ]
  return needed.includes(setting)
}
