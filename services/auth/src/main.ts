import { runAsProcess } from '@voxscribe/service'
import { authService } from './service.ts'

await runAsProcess(authService, process.env)
