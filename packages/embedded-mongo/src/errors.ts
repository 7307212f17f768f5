/**
 * An error that the client gets as MongoDB would send it. The codes are MongoDB's (src/mongo/base/error_codes.yml in
 * its source).
 */
export class CommandError extends Error {
  readonly code: number
  /** The fields of the reply. */
  readonly reply: Record<string, unknown>

  constructor(code: number, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.reply = { code, errmsg: message, ...details }
  }
}

export const badValue = (message: string) => new CommandError(2, message)
export const typeMismatch = (message: string) => new CommandError(14, message)
export const notImplemented = (what: string) =>
  new CommandError(238, `${what} is not implemented by embedded-mongo`)

/** Operators of MongoDB that are refused as what they are; any other unknown name is a mistake. */
const REFUSED =
  /^\$(addToSet|all|bit\w*|currentDate|exists|expr|geo\w+|jsonSchema|min|mod|mul|near\w*|nor|not|pop|pullAll|regex|rename|sampleRate|size|text|type|where)$/

/** `code` is that of a mistake. */
export function unknownOperator(operator: string, code: number): CommandError {
  return REFUSED.test(operator)
    ? notImplemented(`the operator ${operator}`)
    : new CommandError(code, `unknown operator: ${operator}`)
}

const UNKNOWN_ERROR = 8

/** The failure document of a whole command. */
export function failureOf(error: unknown): Record<string, unknown> {
  const known = error instanceof CommandError ? error : new CommandError(UNKNOWN_ERROR, String(error))
  return { ok: 0, ...known.reply }
}
