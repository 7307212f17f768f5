import type { Failure } from '@voxscribe/contracts/http'

/** A failure as OpenAI's API reports it (platform.openai.com, "Error codes"). */
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

/** The failure of one of our services. */
export function fromFailure(status: number, { message, code, errors }: Failure): OpenAiError {
  if (status === 401) return new OpenAiError(401, 'invalid_api_key', message)
  if (status === 429) return new OpenAiError(429, 'rate_limit_exceeded', message)
  return new OpenAiError(status, code, message, errors?.[0]?.field || null)
}
