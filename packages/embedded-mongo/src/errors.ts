/**
 * An error that the client gets as MongoDB would send it: `code`, `errmsg` and the fields of `details`. The codes are
 * MongoDB's (src/mongo/base/error_codes.yml in its source).
 */
export class CommandError extends Error {
  readonly code: number
  readonly details: Record<string, unknown>

  constructor(code: number, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

export const badValue = (message: string) => new CommandError(2, message)
export const failedToParse = (message: string) => new CommandError(9, message)
export const typeMismatch = (message: string) => new CommandError(14, message)
export const notImplemented = (what: string) =>
  new CommandError(238, `${what} is not implemented by embedded-mongo`)

const UNKNOWN_ERROR = 8

/** The failure document of a whole command. */
export function failureOf(error: unknown): Record<string, unknown> {
  const { message, code, details } =
    error instanceof CommandError
      ? error
      : new CommandError(UNKNOWN_ERROR, error instanceof Error ? error.message : String(error))
  return { ok: 0, errmsg: message, code, ...details }
}
