import { baseSettings } from '@voxscribe/service'

export const billingSettings = baseSettings
