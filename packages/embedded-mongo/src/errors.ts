/** MongoDB's names for the codes this server answers with (src/mongo/base/error_codes.yml in MongoDB's source). */
const CODE_NAMES = {
  2: 'BadValue',
  8: 'UnknownError',
  9: 'FailedToParse',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  20: 'IllegalOperation',
  26: 'NamespaceNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  171: 'CannotIndexParallelArrays',
  238: 'NotImplemented',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  40415: 'IDLUnknownField',
} as const

/** Codes that MongoDB has no name for; it calls them "Location" and the number. */
type UnnamedCode = 15958 | 31249 | 31254

type ErrorCode = keyof typeof CODE_NAMES | UnnamedCode

/** An error that the client gets as MongoDB would send it: `code`, `codeName`, `errmsg` and the fields of `details`. */
export class CommandError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown>

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
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

/** The failure document of a whole command. */
export function failureOf(error: unknown): Record<string, unknown> {
  const { message, code, details } =
    error instanceof CommandError
      ? error
      : new CommandError(8, error instanceof Error ? error.message : String(error))
  const codeName = (CODE_NAMES as Record<number, string>)[code] ?? `Location${code}`
  return { ok: 0, errmsg: message, code, codeName, ...details }
}
