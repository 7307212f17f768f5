import type { Response } from 'express'

/** Sets the headers of an event stream. Forbids caching and changes, as a compressing proxy would hold events back. */
export function setEventHeaders(response: Response): void {
  response.set({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
}

/** Formats an event for a stream. */
export const eventText = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
