import { randomBytes } from 'node:crypto'
import { ApiError } from '../input.ts'

/** An answer of the Graph API that is an error; the code decides what a caller should do. */
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

export const serviceDown = () =>
  graphError(500, 131000, 'Something went wrong', 'The call failed because of an unknown error')

export const uploadFailed = (details: string) => graphError(400, 131053, 'Media upload error', details)

/** Why a message is not delivered; the codes are Meta's. */
export const PROBLEMS: Record<'windowClosed' | 'undeliverable', [number, string, string]> = {
  windowClosed: [131047, 'Re-engagement message', 'More than 24 hours since the person last wrote'],
  undeliverable: [131026, 'Message undeliverable', 'The message cannot be delivered to this person'],
}

export const refusedFor = (problem: keyof typeof PROBLEMS) => graphError(400, ...PROBLEMS[problem])

/** Its form in the `errors` of a failed status. */
export function inStatus(problem: keyof typeof PROBLEMS) {
  const [code, message, details] = PROBLEMS[problem]
  return { code, title: message, message, error_data: { details } }
}
