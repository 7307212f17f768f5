import type { FieldError } from '@voxscribe/contracts/http'
import {
  type FactsOf,
  type LimitName,
  limitText,
  REFUSALS,
  type RefusalName,
  refusalText,
} from '@voxscribe/contracts/refusals'

interface Details {
  errors?: FieldError[] | undefined
  retryAfterSeconds?: number | undefined
  /** Name of the limit that is used up, for the `RateLimit` header. */
  limit?: string | undefined
}

/** A failure to report to a person in one plain sentence. Any other error becomes "Server error". */
export class Problem extends Error {
  override name = 'Problem'
  readonly status: number
  /** Stable, for programs. */
  readonly code: string
  readonly errors: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly limit: string | undefined

  constructor(status: number, code: string, message: string, details: Details = {}) {
    super(message)
    this.status = status
    this.code = code
    this.errors = details.errors
    this.retryAfterSeconds = details.retryAfterSeconds
    this.limit = details.limit
  }
}

/** Seconds after which callers retry a part that can't be reached; health checks run as often. */
const UNAVAILABLE_SECONDS = 10

/** Creates the refusal of this name, with the facts of its sentence. */
export const refusal = <Name extends RefusalName>(name: Name, ...facts: FactsOf<Name>): Problem =>
  refusedFor(name === 'unavailable' ? UNAVAILABLE_SECONDS : undefined, name, ...facts)

/** Creates the refusal of this name, with the seconds after which another try makes sense (`Retry-After`). */
export function refusedFor<Name extends RefusalName>(
  retryAfterSeconds: number | undefined,
  name: Name,
  ...[facts]: FactsOf<Name>
): Problem {
  const { status, code } = REFUSALS[name]
  return new Problem(status, code, refusalText(name, facts), { retryAfterSeconds })
}

/** Creates the refusal of a limit that is used up for these seconds, with its name in the `RateLimit` header. */
export function limitReached(
  limit: string,
  retryAfterSeconds: number,
  name: LimitName = 'rate_limited',
): Problem {
  const { status, code } = REFUSALS[name]
  return new Problem(status, code, limitText(name, retryAfterSeconds), { retryAfterSeconds, limit })
}

/** Creates the refusal of bad input; its message is the first field's. */
export const invalid = (errors: FieldError[]): Problem =>
  new Problem(400, 'invalid', errors[0]?.message ?? refusalText('invalid'), { errors })
/** Creates the refusal of one field (dotted path; `""`: the whole body). */
export function invalidField<Name extends RefusalName>(
  field: string,
  name: Name,
  ...[facts]: FactsOf<Name>
): Problem {
  const { code } = REFUSALS[name]
  return invalid([{ field, message: refusalText(name, facts), ...(code !== 'invalid' && { code }) }])
}
