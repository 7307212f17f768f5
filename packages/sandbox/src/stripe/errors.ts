/** An answer of the Stripe API that is an error. */
export class StripeApiError extends Error {
  readonly status: number
  readonly fields: Record<string, unknown>

  constructor(status: number, message: string, fields: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    this.fields = fields
  }

  body() {
    const { code } = this.fields
    return {
      error: {
        type: 'invalid_request_error',
        message: this.message,
        ...(typeof code === 'string' && {
          doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`,
        }),
        ...this.fields,
      },
    }
  }
}

export const invalid = (message: string, fields: Record<string, unknown> = {}) =>
  new StripeApiError(400, message, fields)

/** 404 for what an address names, 400 for what a parameter names. */
export const missing = (what: string, id: string, param = 'id') =>
  new StripeApiError(param === 'id' ? 404 : 400, `No such ${what}: '${id}'`, {
    code: 'resource_missing',
    param,
  })

export const noKey = () =>
  new StripeApiError(
    401,
    'You did not provide an API key. Provide it in the Authorization header as: Bearer YOUR_SECRET_KEY.',
  )

export const wrongKey = (key: string) =>
  new StripeApiError(401, `Invalid API Key provided: ${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`)

export const keyInUse = (key: string) =>
  new StripeApiError(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Use another key than '${key}' for another request.`,
    { type: 'idempotency_error' },
  )

export const tooManyRequests = () =>
  new StripeApiError(429, 'Request rate limit exceeded.', { code: 'rate_limit' })

export const brokenDown = () => new StripeApiError(500, 'An unknown error occurred.', { type: 'api_error' })
