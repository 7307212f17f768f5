import type { Readable } from 'node:stream'
import { safeFileName } from '@voxscribe/contracts/file-names'
import { type ByteRange, sendStream } from '@voxscribe/service'
import type { Request, Response } from 'express'
import parseRange from 'range-parser'
import type { Audio } from '../note/played.ts'

/** Sends a note's file, or the range of it that was asked for (RFC 9110, sections 13 and 14). */
export async function sendAudio(
  response: Response,
  { bytes, mime, fileName, sha256 }: Audio,
  open: (range?: ByteRange) => Promise<Readable>,
): Promise<void> {
  const { req: request } = response
  const tag = sha256 && `"${sha256}"`
  const ranges = rangesOf(request, bytes, tag)
  const [range] = Array.isArray(ranges) && ranges.length === 1 ? ranges : []
  // Opened before any header is sent, as the file may be gone.
  const source = request.method === 'HEAD' || ranges === -1 ? undefined : await open(range)
  if (request.query.download === '1') response.attachment(safeFileName(fileName))
  response.set({
    // No upload may run as a page of ours.
    'content-type': mime && /^(audio|video)\//.test(mime) ? mime : 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    ...(tag && { etag: tag }),
  })
  if (ranges === -1) {
    response.status(416).set('content-range', `bytes */${bytes}`).end()
    return
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  if (range) response.status(206).set('content-range', `bytes ${start}-${end}/${bytes}`)
  response.set('content-length', String(end - start + 1))
  if (source) await sendStream(response, source)
  else response.end()
}

/** Returns the ranges of a request; -1 if none is in the file. A date in `If-Range` never matches, as we send none. */
function rangesOf({ method, headers }: Request, bytes: number, tag: string | null | undefined) {
  const { range = '', 'if-range': condition } = headers
  if (method !== 'GET' || !/^bytes=/i.test(range) || (condition && condition !== tag)) return undefined
  // `range-parser` treats a suffix that is longer than the file as outside it.
  const within = range.replace(/(?<=[=,]\s*)-(\d+)/g, (_, length) => `-${Math.min(length, bytes)}`)
  return parseRange(bytes, within)
}
