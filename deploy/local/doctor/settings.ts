import { unescape as decoded } from 'node:querystring'
import { checkSettings, type Environment, readSettings, SettingsError } from '@voxscribe/service'
import { z } from 'zod'
import { serviceSettings } from '../../service-settings.ts'
import { localSettings } from '../settings.ts'

const { auth, ...SERVICES } = serviceSettings
const { JWT_PRIVATE_KEY } = auth.in.shape
/** The key is optional here, because `npm start` creates it. */
const PARTS = {
  ...SERVICES,
  auth: z
    .object({ ...auth.in.shape, JWT_PRIVATE_KEY: JWT_PRIVATE_KEY.optional() })
    .check(...((auth.in.def.checks ?? []) as z.core.$ZodCheck<object>[])),
  local: localSettings.pick({ SANDBOX: true, SANDBOX_HOST: true, SANDBOX_PORT: true }),
}
const WHATSAPP = [
  'WHATSAPP_PHONE_NUMBER_ID',
  'WHATSAPP_ACCESS_TOKEN',
  'WHATSAPP_APP_SECRET',
  'WHATSAPP_VERIFY_TOKEN',
]
const SECRET = /(SECRET|TOKEN|KEY)$/
/** Secrets in `docker-compose.yml` and its sandbox, which everyone can read. */
const PUBLISHED =
  /^(sandbox-(access-token|app-secret|verify-token|webhook-secret)|1:sandbox-bot-token|sk_test_sandbox|whsec_sandbox|voxscribe(-media)?)$/
/** Hiding a shorter one would hide common words. */
const SECRET_LENGTH = 4

export type DoctorSettings = ReturnType<typeof readAll>
const readAll = (env: Environment) => ({
  ...readSettings(PARTS.gateway, env),
  ...readSettings(PARTS.billing, env),
  ...readSettings(PARTS.ingestion, env),
  ...readSettings(PARTS.notification, env),
  ...readSettings(PARTS.transcription, env),
  ...readSettings(PARTS.auth, env),
})

/** Whether a setting is given, directly or in a file. */
export const isGiven = (env: Environment, name: string) => Boolean(env[name] || env[`${name}_FILE`])

/** Reads all settings as one process does, with placeholders for what `npm start` provides; or returns their faults. */
export function settingsOf(env: Environment): DoctorSettings | string {
  const own = isGiven(env, 'WHATSAPP_ACCESS_TOKEN') ? [] : WHATSAPP.map(name => [name, '-'])
  const placeholders = [['MONGO_URL', 'mongodb://embedded'], ['SMTP_URL', 'smtp://sandbox'], ...own]
  const unset = placeholders.filter(([name = '']) => !isGiven(env, name))
  const filled: Environment = { ...env, ...Object.fromEntries(unset) }
  try {
    checkSettings(Object.values(PARTS).map(settings => ({ settings, env: filled })))
    return readAll(filled)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems.join('; ')
    throw error
  }
}

/** Returns the secret in a setting: the setting itself, or the password in its address, as it is and decoded. */
function secretsOf([name, value]: [string, unknown]): string[] {
  if (typeof value !== 'string') return []
  const [, password = ''] = /^\w+:\/\/[^:@/]*:([^@/]*)@/.exec(value) ?? []
  return SECRET.test(name) ? [value] : [password, decoded(password)]
}

/** Returns values that no line may show. Published ones aren't secret, and may be a part of common words. */
export const secretsIn = (settings: DoctorSettings): string[] =>
  Object.entries(settings)
    .flatMap(secretsOf)
    .filter(secret => secret.length >= SECRET_LENGTH && !PUBLISHED.test(secret))

/** Returns the names of settings with a published secret. */
export const publishedIn = (settings: DoctorSettings): string[] =>
  Object.entries(settings).flatMap(given =>
    secretsOf(given).some(secret => PUBLISHED.test(secret)) ? [given[0]] : [],
  )
