import type { NextFunction, Request, Response } from 'express'
import { OpenAiError } from './errors.ts'

const CALLS =
  'POST /v1/audio/transcriptions, POST /v1/audio/translations, GET /v1/models, GET /v1/models/voxscribe-1'

export const unknownAddress = ({ method, baseUrl, path }: Request) =>
  new OpenAiError(
    404,
    'unknown_url',
    `Unknown request URL: ${method} ${baseUrl}${path}. The base address ends with /v1, once; there are ${CALLS}.`,
  )

/** Calls of OpenAI's API made with a base address that has a path segment too many or too few. */
const MISPLACED =
  /^\/\w+\/v1(\/|$)|^\/(?!v1\/).*\baudio\/(transcriptions|translations)\/?$|^\/(api\/)?models(\/voxscribe-1)?\/?$/

/** Responds to calls of a wrong address with the right one. */
export function refuseMisplaced(request: Request, response: Response, next: NextFunction): void {
  if (!MISPLACED.test(request.path)) {
    next()
    return
  }
  request.resume()
  const { status, body } = unknownAddress(request)
  response.status(status).json(body)
}
