const EMAIL = /[^\s<>"'(:,=]+@[^\s<>"'),;:]+\.[^\s<>"'),;:.]+/g
/** A phone number as people or providers write it: nothing else in our logs has 10 to 15 digits in a row. */
const NUMBER = /(?<![\w.-])\+?\d{10,15}(?![\w-])/g
/** Matches MongoDB's message about a duplicate key, which names the value. */
const DUPLICATE = /(dup key: ).*/g

/** Returns a text that we did not write, such as an error's message, without mail addresses and phone numbers. */
const masked = (text: string): string =>
  text.replace(DUPLICATE, '$1…').replace(EMAIL, '…@…').replace(NUMBER, '…')

/** Part of a path as long as our secrets, which links carry; ids have 36 characters. */
const SECRET = /[\w-]{40,}/g
export const pathForLog = (path: string): string => path.replace(SECRET, '…')

/**
 * Returns what may be logged of an error: kind, message, stack, codes. Not its other properties: an HTTP client's error
 * carries the whole request, with our tokens and people's words.
 */
export function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? masked(error) : typeof error
  const { code, status, cause } = error as Error & { code?: unknown; status?: unknown }
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message: masked(error.message),
    stack: error.stack && masked(error.stack),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof status === 'number' && { status }),
    ...(cause instanceof Error && { cause: errorForLog(cause) }),
  }
}

/** Masks the fields that quote a provider or a library, and secrets in the path of a request. */
export function withoutPersonalWords(line: Record<string, unknown>): Record<string, unknown> {
  const quoting = ['message', 'reason'].filter(name => typeof line[name] === 'string')
  const { path } = line
  return {
    ...line,
    ...(typeof path === 'string' && { path: pathForLog(path) }),
    ...Object.fromEntries(quoting.map(name => [name, masked(String(line[name]))])),
  }
}
