import type { RequestHandler } from 'express'

/** Longest time for a body that isn't a file: 100 kB at 27 kbit/s. */
const LONGEST_MS = 30_000

/** Wraps a body parser to break slow connections: at a byte per second, a body would hold a socket for hours. */
export const withBodyTimeout =
  (parser: RequestHandler, longestMs = LONGEST_MS): RequestHandler =>
  (request, response, next) => {
    const late = setTimeout(() => request.destroy(), longestMs)
    return parser(request, response, error => {
      clearTimeout(late)
      next(error)
    })
  }
