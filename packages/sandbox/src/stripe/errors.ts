/** An answer of the Stripe API that is an error. */
export class StripeApiError extends Error {
  readonly status: number
  readonly fields: Record<string, string>

  constructor(status: number, message: string, fields: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.fields = fields
  }

  body() {
    return { error: { type: 'invalid_request_error', message: this.message, ...this.fields } }
  }
}

export const invalid = (message: string, fields: Record<string, string> = {}) =>
  new StripeApiError(400, message, fields)

/** 404 for what an address names, 400 for what a parameter names. */
export const missing = (kind: string, id: string, param = 'id') =>
  new StripeApiError(param === 'id' ? 404 : 400, `No such ${kind}: '${id}'`, {
    code: 'resource_missing',
    param,
  })
