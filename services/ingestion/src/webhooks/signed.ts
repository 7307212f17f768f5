import type { Logger } from '@voxscribe/service'
import type { Request } from 'express'
import type { IngestionSettings } from '../settings.ts'
import type { Intake } from './accept.ts'

export interface WebhookDeps extends Intake {
  settings: IngestionSettings
  log: Logger
}

/** Returns the bytes of the body; Express leaves an empty one undefined. */
export const rawBodyOf = (request: Request): Buffer =>
  Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
