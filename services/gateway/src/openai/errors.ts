import type { Failure, TranscriptionDocument as Note } from '@voxscribe/contracts/http'
import { Problem } from '@voxscribe/service'

/** An error in the format of OpenAI's API (platform.openai.com, "Error codes"). */
export class OpenAiError extends Error {
  readonly status: number
  readonly type: string
  readonly code: string | null
  readonly param: string | null

  constructor(status: number, code: string | null, message: string, param: string | null = null) {
    super(message)
    this.name = 'OpenAiError'
    this.status = status
    this.code = code
    this.param = param
    this.type =
      status === 429 ? (code ?? 'requests') : status < 500 ? 'invalid_request_error' : 'server_error'
  }

  get body() {
    const { message, type, param, code } = this
    return { error: { message, type, param, code } }
  }
}

export const missingKey = () =>
  new OpenAiError(401, 'invalid_api_key', 'Send an API key of your profile as “Authorization: Bearer vox_…”.')

export function fromFailure(status: number, { message, code, errors }: Failure): OpenAiError {
  if (status === 401) return new OpenAiError(401, 'invalid_api_key', message)
  if (status === 429) return new OpenAiError(429, 'rate_limit_exceeded', message)
  return new OpenAiError(status, code, message, errors?.[0]?.field || null)
}

export function failureOf({ error, failure }: Note): OpenAiError {
  const { code = null } = failure ?? {}
  if (code === 'out_of_minutes') return new OpenAiError(429, 'insufficient_quota', error ?? '')
  if (code === 'too_many_repeats') return new OpenAiError(429, code, error ?? '')
  return new OpenAiError(422, code, error ?? '', code === 'language_not_supported' ? 'language' : 'file')
}

/** Converts an error meant for the caller into OpenAI's format; undefined for an internal error. */
export function inOpenAi(error: unknown): OpenAiError | undefined {
  if (error instanceof Problem) return new OpenAiError(error.status, error.code, error.message)
  return error instanceof OpenAiError ? error : undefined
}

/** The body of an error that occurs after the status was sent. */
export const lateBody = (error: unknown) =>
  (inOpenAi(error) ?? new OpenAiError(500, null, 'Something went wrong. Please try again.')).body
