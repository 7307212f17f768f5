import { randomBytes } from 'node:crypto'

/** An answer of the Graph API that is an error; the code decides what a caller should do. */
export class GraphError extends Error {
  readonly status: number
  readonly code: number
  readonly subcode: number | undefined
  readonly type: string
  readonly details: string | undefined

  constructor(given: {
    status: number
    code: number
    message: string
    details?: string
    subcode?: number
    type?: string
  }) {
    super(given.message)
    this.status = given.status
    this.code = given.code
    this.subcode = given.subcode
    this.type = given.type ?? 'OAuthException'
    this.details = given.details
  }

  body() {
    return {
      error: {
        message: this.message,
        type: this.type,
        code: this.code,
        ...(this.subcode && { error_subcode: this.subcode }),
        ...(this.details && { error_data: { messaging_product: 'whatsapp', details: this.details } }),
        fbtrace_id: `A${randomBytes(12).toString('base64url')}`,
      },
    }
  }

  /** As it stands in the `errors` of a failed status. */
  inStatus() {
    const title = this.message.replace(/^\(#\d+\) /, '')
    return {
      code: this.code,
      title,
      message: title,
      ...(this.details && { error_data: { details: this.details } }),
      href: 'https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes',
    }
  }
}

export const badToken = () =>
  new GraphError({
    status: 401,
    code: 190,
    message: 'Invalid OAuth access token - Cannot parse access token',
  })

export const badParameter = (details: string) =>
  new GraphError({ status: 400, code: 100, message: '(#100) Invalid parameter', details })

export const noSuchObject = (id: string) =>
  new GraphError({
    status: 400,
    code: 100,
    subcode: 33,
    type: 'GraphMethodException',
    message: `Unsupported request. Object with ID '${id}' does not exist or cannot be loaded`,
  })

export const rateLimited = () =>
  new GraphError({
    status: 429,
    code: 130429,
    message: '(#130429) Rate limit hit',
    details: 'Too many messages from this phone number in a short time',
  })

export const serviceDown = () =>
  new GraphError({
    status: 500,
    code: 131000,
    message: '(#131000) Something went wrong',
    details: 'The message could not be sent because of an unknown error',
  })

export const windowClosed = () =>
  new GraphError({
    status: 400,
    code: 131047,
    message: '(#131047) Re-engagement message',
    details: 'More than 24 hours have passed since the person last wrote to this number',
  })

export const undeliverable = () =>
  new GraphError({
    status: 400,
    code: 131026,
    message: '(#131026) Message undeliverable',
    details: 'The message cannot be delivered to this person',
  })

export const uploadFailed = (details: string) =>
  new GraphError({ status: 400, code: 131053, message: '(#131053) Media upload error', details })
