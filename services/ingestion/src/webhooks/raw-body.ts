import express, { type Request } from 'express'

/** Keeps a webhook's body as it came: its signature is over the bytes. 4 MB at most, else 413. */
export const keepRawBody = express.raw({ type: () => true, limit: '4mb' })

/** The bytes of the body; Express says nothing at all of an empty one. */
export const rawBodyOf = (request: Request): Buffer =>
  Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
