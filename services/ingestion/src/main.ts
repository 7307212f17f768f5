import { runAsProcess } from '@voxscribe/service'
import { ingestionService } from './service.ts'

await runAsProcess(ingestionService, process.env)
