import { ApiError } from '../input.ts'

export const stripeError = (status: number, message: string, fields: Record<string, string> = {}) =>
  new ApiError(message, status, { error: { type: 'invalid_request_error', message, ...fields } })

export const invalid = (message: string, fields: Record<string, string> = {}) =>
  stripeError(400, message, fields)

/** 404 for an id in the path, 400 for one in a parameter. */
export const missing = (kind: string, id: string, param = 'id') =>
  stripeError(param === 'id' ? 404 : 400, `No such ${kind}: '${id}'`, { code: 'resource_missing', param })
