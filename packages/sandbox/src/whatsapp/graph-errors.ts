import { randomBytes } from 'node:crypto'

/** An answer of the Graph API that is an error; the code decides what a caller should do. */
export class GraphError extends Error {
  readonly status: number
  readonly code: number
  readonly details: string | undefined
  readonly more: { error_subcode?: number; type?: string }

  constructor(status: number, code: number, message: string, details?: string, more = {}) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
    this.more = more
  }

  body() {
    const data = { messaging_product: 'whatsapp', details: this.details }
    return {
      error: {
        message: `(#${this.code}) ${this.message}`,
        type: 'OAuthException',
        code: this.code,
        ...this.more,
        ...(this.details && { error_data: data }),
        fbtrace_id: `A${randomBytes(12).toString('base64url')}`,
      },
    }
  }

  /** Its form in the `errors` of a failed status. */
  inStatus() {
    const { code, message, details } = this
    return { code, title: message, message, error_data: { details } }
  }
}

export const badToken = () =>
  new GraphError(401, 190, 'Invalid OAuth access token - Cannot parse access token')

export const badParameter = (details: string) => new GraphError(400, 100, 'Invalid parameter', details)

export const noSuchObject = (id: string) =>
  new GraphError(400, 100, `Object with ID '${id}' does not exist or cannot be loaded`, undefined, {
    error_subcode: 33,
    type: 'GraphMethodException',
  })

export const rateLimited = () =>
  new GraphError(429, 130429, 'Rate limit hit', 'Too many messages from this phone number in a short time')

export const serviceDown = () =>
  new GraphError(500, 131000, 'Something went wrong', 'The call failed because of an unknown error')

export const windowClosed = () =>
  new GraphError(400, 131047, 'Re-engagement message', 'More than 24 hours since the person last wrote')

export const undeliverable = () =>
  new GraphError(400, 131026, 'Message undeliverable', 'The message cannot be delivered to this person')

export const uploadFailed = (details: string) => new GraphError(400, 131053, 'Media upload error', details)
