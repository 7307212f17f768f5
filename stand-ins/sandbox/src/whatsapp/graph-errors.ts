import { randomBytes } from 'node:crypto'
import { ApiError } from '../input.ts'

/** An error response of the Graph API; its code determines what a caller should do. */
const graphError = (status: number, code: number, message: string, details?: string, more = {}) =>
  new ApiError(message, status, {
    error: {
      message: `(#${code}) ${message}`,
      type: 'OAuthException',
      code,
      ...more,
      ...(details && { error_data: { messaging_product: 'whatsapp', details } }),
      fbtrace_id: `A${randomBytes(12).toString('base64url')}`,
    },
  })

export const badToken = () => graphError(401, 190, 'Invalid OAuth access token - Cannot parse access token')

export const badParameter = (details: string) => graphError(400, 100, 'Invalid parameter', details)

export const noSuchObject = (id: string) =>
  graphError(400, 100, `Object with ID '${id}' does not exist or cannot be loaded`, undefined, {
    error_subcode: 33,
    type: 'GraphMethodException',
  })

export const rateLimited = () =>
  graphError(429, 130429, 'Rate limit hit', 'Too many messages from this phone number in a short time')

export const uploadFailed = (details: string) => graphError(400, 131053, 'Media upload error', details)

/** Refuses free text to a person who hasn't written for a day; also in the `errors` of a failed status. */
export const WINDOW_CLOSED = {
  code: 131047,
  title: 'Re-engagement message',
  message: 'Re-engagement message',
  error_data: { details: 'More than 24 hours since the person last wrote' },
}
export const windowClosed = () =>
  graphError(400, WINDOW_CLOSED.code, WINDOW_CLOSED.title, WINDOW_CLOSED.error_data.details)
