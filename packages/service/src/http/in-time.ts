import type { RequestHandler } from 'express'

/** Longest time for a body without a file: 100 kB at 27 kbit/s. */
const LONGEST_MS = 30_000

/** A parser of bodies that breaks the connection of one that takes longer: a byte a second keeps a socket for hours. */
export const inTime =
  (parser: RequestHandler, longestMs = LONGEST_MS): RequestHandler =>
  (request, response, next) => {
    const late = setTimeout(() => request.destroy(), longestMs)
    return parser(request, response, error => {
      clearTimeout(late)
      next(error)
    })
  }
