import { authService } from '@voxscribe/auth'
import { billingService } from '@voxscribe/billing'
import { ingestionService } from '@voxscribe/ingestion'
import { notificationService } from '@voxscribe/notification'
import { transcriptionService } from '@voxscribe/transcription'

// Modules that `main.ts` loads while the database starts in its thread.

export { gatewayService } from '@voxscribe/gateway'
export { fetchAtStart } from '@voxscribe/transcription/models'
export { startProviders } from './providers.ts'
export { billingService, transcriptionService }

export const behind = [
  authService,
  billingService,
  transcriptionService,
  ingestionService,
  notificationService,
]
