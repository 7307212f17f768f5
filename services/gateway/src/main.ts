import { runAsProcess } from '@voxscribe/service'
import { gatewayService } from './service.ts'

await runAsProcess(gatewayService, process.env)
