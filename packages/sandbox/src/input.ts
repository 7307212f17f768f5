import type { NextFunction, Request, Response } from 'express'
import { MulterError } from 'multer'
import { z } from 'zod'

/** Error answer of the sandbox's own HTTP API: `{ error, field? }`. */
export class BadInput extends Error {
  readonly status: number
  readonly field: string | undefined
  constructor(message: string, options: { field?: string; status?: number } = {}) {
    super(message)
    this.status = options.status ?? 400
    this.field = options.field
  }
}

export const notFound = (what: string) => new BadInput(`${what} not found`, { status: 404 })

export function check<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new BadInput(issue?.message ?? 'Invalid input', { field: issue?.path.join('.') })
}

/** Turns a phone number as people type it into E.164 digits without `+`. */
export const PhoneNumber = z
  .string('A phone number is needed')
  .transform(value => value.replace(/[\s()./-]/g, '').replace(/^(\+|00)/, ''))
  .pipe(
    z
      .string()
      .regex(
        /^[1-9]\d{6,14}$/,
        'Not a phone number: 7 to 15 digits with the country code, like +15550001111',
      ),
  )

export const Flag = z.union([z.boolean(), z.stringbool()])

/** The last handler: reports errors of the pages and of the sandbox's API as JSON. */
export function answerInputErrors(error: unknown, _request: Request, response: Response, next: NextFunction) {
  if (response.headersSent || !(error instanceof Error)) return next(error)
  const status = 'status' in error ? Number(error.status) : error instanceof MulterError ? 413 : 500
  if (!(status >= 400 && status < 500)) return next(error)
  response
    .status(status)
    .json({ error: error.message, ...(error instanceof BadInput && error.field && { field: error.field }) })
}
