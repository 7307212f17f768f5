import { unescape as decoded } from 'node:querystring'
import { checkSettings, type Environment, readSettings, SettingsError } from '@voxscribe/service'
import { z } from 'zod'
import { serviceSettings } from '../../service-settings.ts'
import { localSettings } from '../settings.ts'

const { auth, ...SERVICES } = serviceSettings
const { JWT_PRIVATE_KEY } = auth.in.shape
/** `npm start` makes the key. */
const PARTS = {
  ...SERVICES,
  auth: z.object({ ...auth.in.shape, JWT_PRIVATE_KEY: JWT_PRIVATE_KEY.optional() }),
  local: localSettings.pick({ SANDBOX: true, SANDBOX_HOST: true, SANDBOX_PORT: true }),
}
const WHATSAPP = [
  'WHATSAPP_PHONE_NUMBER_ID',
  'WHATSAPP_ACCESS_TOKEN',
  'WHATSAPP_APP_SECRET',
  'WHATSAPP_VERIFY_TOKEN',
]
const SECRET = /(SECRET|TOKEN|KEY|KEY_ID)$/
/** A shorter one would hide common words. */
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

/** Whether a setting is given, also in a file. */
export const isGiven = (env: Environment, name: string) => Boolean(env[name] || env[`${name}_FILE`])

/** Reads all settings as one process does, with placeholders for what `npm start` brings; or returns their faults. */
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

/** Values that no line may show: secrets, and passwords in addresses, as they are and encoded. */
export function secretsIn(settings: DoctorSettings): string[] {
  const found = Object.entries(settings).flatMap(([name, value]) => {
    if (typeof value !== 'string') return []
    const [, password = ''] = /^\w+:\/\/[^:@/]*:([^@/]*)@/.exec(value) ?? []
    return SECRET.test(name) ? [value] : [password, decoded(password)]
  })
  return found.filter(secret => secret.length >= SECRET_LENGTH)
}
