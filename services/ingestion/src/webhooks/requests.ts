import type { Logger } from '@voxscribe/service'
import type { Request } from 'express'
import { z } from 'zod'
import type { IngestionSettings } from '../settings.ts'
import type { Intake } from './accept.ts'

export interface WebhookDeps extends Intake {
  settings: IngestionSettings
  log: Logger
}

/** Returns the bytes of the body; Express leaves an empty one undefined. */
export const rawBodyOf = (request: Request): Buffer =>
  Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)

export function jsonOf(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'))
  } catch {
    return undefined
  }
}

/** An optional field; an unreadable value is dropped without dropping the message. */
export const dispensable = <T>(schema: z.ZodType<T>) => schema.optional().catch(undefined)

/** A time in seconds since 1970, as a number or a string. */
export const Seconds = dispensable(
  z.coerce
    .number()
    .int()
    .positive()
    .max(999_999_999_999)
    .transform(seconds => new Date(1000 * seconds)),
)
