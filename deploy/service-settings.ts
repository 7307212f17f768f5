import type { Service } from '@voxscribe/contracts/events'
import { shapeOf } from '@voxscribe/service'
import type { z } from 'zod'
import { authSettings } from '../services/auth/src/settings.ts'
import { billingSettings } from '../services/billing/src/settings.ts'
import { gatewaySettings } from '../services/gateway/src/settings.ts'
import { ingestionSettings } from '../services/ingestion/src/settings.ts'
import { notificationSettings } from '../services/notification/src/settings.ts'
import { transcriptionSettings } from '../services/transcription/src/settings.ts'

export const serviceSettings = {
  auth: authSettings,
  billing: billingSettings,
  gateway: gatewaySettings,
  ingestion: ingestionSettings,
  notification: notificationSettings,
  transcription: transcriptionSettings,
} satisfies Record<Service, z.ZodType>

/** Returns the names of the settings that a service reads. */
export const settingsOf = (service: Service) => Object.keys(shapeOf(serviceSettings[service]))
