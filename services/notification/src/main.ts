import { runAsProcess } from '@voxscribe/service'
import { notificationService } from './service.ts'

await runAsProcess(notificationService, process.env)
