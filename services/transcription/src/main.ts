import { runAsProcess } from '@voxscribe/service'
import { transcriptionService } from './service.ts'

await runAsProcess(transcriptionService, process.env)
