import { createHash, timingSafeEqual } from 'node:crypto'
import type { ErrorRequestHandler, Request } from 'express'
import { MulterError } from 'multer'
import { z } from 'zod'

/** An error of a simulated API: its status, and its body in that API's format. */
export class ApiError extends Error {
  readonly status: number
  readonly body: object
  constructor(message: string, status: number, body: object = { error: message }) {
    super(message)
    this.status = status
    this.body = body
  }
}

/** An error of the sandbox's own API: `{ error, field? }`. */
export const badInput = (error: string, field?: string, status = 400) =>
  new ApiError(error, status, { error, field })

export const notFound = (what: string) => badInput(`${what} not found`, undefined, 404)

/** Returns the parsed input. `refuse` formats the first error. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  refuse: (message: string, field: string) => ApiError = badInput,
): z.output<Schema> {
  const parsed = schema.safeParse(input ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw refuse(issue?.message ?? 'Invalid input', issue?.path.join('.') ?? '')
}

/** Converts a typed phone number to E.164 digits without `+`. */
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

const hash = (text: string) => createHash('sha256').update(text).digest()

export function hasBearer(request: Request, secret: string): boolean {
  const [, given = ''] = /^Bearer (.+)$/i.exec(request.get('authorization') ?? '') ?? []
  return timingSafeEqual(hash(given), hash(secret))
}

const RETRY_AFTER_SECONDS = '2'

/** Sends API errors; `worded` formats those of parsers. Passes other errors to the last handler. */
export const answerErrors =
  (worded: (message: string, status: number) => ApiError): ErrorRequestHandler =>
  (error, _request, response, next) => {
    const status = error instanceof MulterError ? 413 : Number(error.status ?? 500)
    const refusal = error instanceof ApiError ? error : status < 500 && worded(error.message, status)
    if (response.headersSent || !refusal) return next(error)
    if (refusal.status === 429) response.set('retry-after', RETRY_AFTER_SECONDS)
    response.status(refusal.status).json(refusal.body)
  }
