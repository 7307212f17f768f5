import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

/** Errors of `pipeline` into a response that is closed before or during it, and of a call that we therefore abort. */
const CLIENT_LEFT = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE', 'ERR_CANCELED']

/**
 * Sends a stream as the body until the signal is aborted. Always destroys the stream, because `pipeline` leaves it open
 * if the client disconnects before it begins. A disconnected client is not an error.
 */
export async function sendStream(
  response: Response,
  source: Readable,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  try {
    await pipeline(source, response, { signal })
  } catch (error) {
    if (!CLIENT_LEFT.includes((error as { code?: string }).code ?? '')) throw error
  } finally {
    source.destroy()
  }
}
