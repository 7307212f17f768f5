import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

/** `pipeline` into a response that was closed before it began, or is closed on the way; a call that we end for that. */
const CLIENT_LEFT = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE', 'ERR_CANCELED']

/**
 * Sends a stream as the body, until the signal is aborted. The stream is destroyed in any case: `pipeline` leaves it open
 * when the client has disconnected before it begins. A client that disconnects is not an error.
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
