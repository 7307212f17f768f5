import { z } from 'zod'
import { authSettings } from '../../services/auth/src/settings.ts'
import { billingSettings } from '../../services/billing/src/settings.ts'
import { gatewaySettings } from '../../services/gateway/src/settings.ts'
import { ingestionSettings } from '../../services/ingestion/src/settings.ts'
import { notificationSettings } from '../../services/notification/src/settings.ts'
import { transcriptionSettings } from '../../services/transcription/src/settings.ts'

const schemas = {
  auth: authSettings,
  billing: billingSettings,
  gateway: gatewaySettings,
  ingestion: ingestionSettings,
  notification: notificationSettings,
  transcription: transcriptionSettings,
} as const satisfies Record<string, z.ZodType>
export type ServiceName = keyof typeof schemas
export const SERVICES = Object.keys(schemas) as ServiceName[]

/** The names of the settings that a service reads. */
export const settingsOf = (service: ServiceName): string[] =>
  Object.keys(z.toJSONSchema(schemas[service], { io: 'input', unrepresentable: 'any' }).properties ?? {})

/** What the settings check says about an environment: empty when a service would start with it. */
export const problemsOf = (service: ServiceName, env: Record<string, unknown>): string[] =>
  schemas[service].safeParse(env).error?.issues.map(issue => `${issue.path.join('.')} ${issue.message}`) ?? []
