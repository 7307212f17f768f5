import type { Logger } from '@voxscribe/service'
import express, { type Request } from 'express'
import type { IngestionSettings } from '../settings.ts'
import type { Intake } from './accept.ts'

export interface WebhookDeps extends Intake {
  settings: IngestionSettings
  log: Logger
}

/** Keeps a webhook's body as it came: its signature is over the bytes. 4 MB at most, else 413. */
export const keepRawBody = express.raw({ type: () => true, limit: '4mb' })

/** Returns the bytes of the body; Express leaves an empty one undefined. */
export const rawBodyOf = (request: Request): Buffer =>
  Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
