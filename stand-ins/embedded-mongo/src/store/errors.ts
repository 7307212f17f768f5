/** An error in MongoDB's form, with its codes (src/mongo/base/error_codes.yml in its source). */
export class CommandError extends Error {
  readonly reply: Record<string, unknown>

  constructor(code: number, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.reply = { code, errmsg: message, ...details }
  }
}

export const badValue = (message: string) => new CommandError(2, message)
export const typeMismatch = (message: string) => new CommandError(14, message)
export const notImplemented = (what: string) =>
  new CommandError(238, `${what} is not implemented by embedded-mongo`)

/** Returns the failure document of a whole command; 8 is MongoDB's UnknownError. */
export function failureOf(error: unknown): Record<string, unknown> {
  const known = error instanceof CommandError ? error : new CommandError(8, String(error))
  return { ok: 0, ...known.reply }
}
