/** MongoDB's names for the codes this server answers with (src/mongo/base/error_codes.yml in MongoDB's source). */
const codeNames = {
  2: 'BadValue',
  8: 'UnknownError',
  9: 'FailedToParse',
  13: 'Unauthorized',
  14: 'TypeMismatch',
  20: 'IllegalOperation',
  26: 'NamespaceNotFound',
  27: 'IndexNotFound',
  28: 'PathNotViable',
  40: 'ConflictingUpdateOperators',
  43: 'CursorNotFound',
  48: 'NamespaceExists',
  52: 'DollarPrefixedFieldName',
  53: 'InvalidIdField',
  54: 'NotSingleValueField',
  56: 'EmptyFieldName',
  59: 'CommandNotFound',
  66: 'ImmutableField',
  67: 'CannotCreateIndex',
  72: 'InvalidOptions',
  73: 'InvalidNamespace',
  85: 'IndexOptionsConflict',
  86: 'IndexKeySpecsConflict',
  171: 'CannotIndexParallelArrays',
  238: 'NotImplemented',
  10334: 'BSONObjectTooLarge',
  11000: 'DuplicateKey',
  40324: 'UnrecognizedPipelineStage',
  40415: 'IDLUnknownField',
} as const

/** Codes that MongoDB has no name for; it calls them "Location" and the number. */
type UnnamedCode = 15958 | 31249 | 31254 | 40323 | 51246

export type ErrorCode = keyof typeof codeNames | UnnamedCode

/** An error that the client gets as MongoDB would send it: `code`, `codeName`, `errmsg` and the fields of `details`. */
export class CommandError extends Error {
  readonly code: ErrorCode
  readonly details: Record<string, unknown>

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.details = details
  }

  get codeName(): string {
    return (codeNames as Record<number, string>)[this.code] ?? `Location${this.code}`
  }
}

export const badValue = (message: string) => new CommandError(2, message)
export const failedToParse = (message: string) => new CommandError(9, message)
export const typeMismatch = (message: string) => new CommandError(14, message)
export const notImplemented = (what: string) =>
  new CommandError(238, `${what} is not implemented by embedded-mongo`)

/** What the client is told of an error; undefined for one that is nobody's fault but this server's. */
export const asCommandError = (error: unknown): CommandError | undefined => {
  if (error instanceof CommandError) return error
  // mingo throws plain errors for expressions and stages that it can't make sense of.
  return error instanceof Error && error.constructor.name === 'MingoError'
    ? badValue(error.message)
    : undefined
}

/** The failure document of a whole command. */
export const failureOf = (error: unknown): Record<string, unknown> => {
  const { message, code, codeName, details } =
    asCommandError(error) ?? new CommandError(8, error instanceof Error ? error.message : String(error))
  return { ok: 0, errmsg: message, code, codeName, ...details }
}

/** One entry of `writeErrors`. */
export const writeErrorOf = (index: number, error: CommandError): Record<string, unknown> => ({
  index,
  code: error.code,
  errmsg: error.message,
  ...error.details,
})
