/** Limit for messages that others wrote: error pages have megabytes, all of which would be masked and stored. */
const MESSAGE_MAX = 2_000
/** Additional characters of a stack, for its frames. */
const FRAMES_MAX = 8_000
const CAUSES_MAX = 5

/** Runs of characters that a mail address may consist of, so that each character is looked at once. */
const WORD = /[^\s<>"'(),;:=]+/g
/** A phone number as people or providers write it. Nothing else in our logs has 10 to 15 digits in a row. */
const NUMBER = /(?<![\w.-])\+?\d{10,15}(?![\w-])/g
/** Matches the value in MongoDB's message about a duplicate key. */
const DUPLICATE = /(dup key: ).*/g

function withoutAddress(word: string): string {
  const at = word.indexOf('@')
  return at > 0 && word.includes('.', at) ? '…@…' : word
}

/** Returns the start of a text from elsewhere, such as an error's message, without mail addresses or phone numbers. */
const masked = (text: string, max = MESSAGE_MAX): string =>
  (text.length > max ? `${text.slice(0, max)}…` : text)
    .replace(DUPLICATE, '$1…')
    .replace(WORD, withoutAddress)
    .replace(NUMBER, '…')

/** Matches a part of a path as long as our secrets, which links carry; ids have 36 characters. */
const SECRET = /[\w-]{40,}/g
export const pathForLog = (path: string): string => path.replace(SECRET, '…')

/**
 * Returns the loggable parts of an error: kind, message, stack, codes. Leaves out other properties: an HTTP client's
 * error carries the whole request, with our tokens and people's words.
 */
export function errorForLog(error: unknown, causes = CAUSES_MAX): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? masked(error) : typeof error
  const { code, status, cause } = error as Error & { code?: unknown; status?: unknown }
  const message = masked(error.message)
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message,
    // Contains the shortened message, as the frames come after it.
    stack:
      error.stack &&
      masked(
        error.stack.replace(error.message, () => message),
        MESSAGE_MAX + FRAMES_MAX,
      ),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof status === 'number' && { status }),
    ...(cause instanceof Error && causes > 0 && { cause: errorForLog(cause, causes - 1) }),
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
