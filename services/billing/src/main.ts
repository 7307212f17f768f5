import { runAsProcess } from '@voxscribe/service'
import { billingService } from './service.ts'

await runAsProcess(billingService, process.env)
