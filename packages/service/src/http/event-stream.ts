import type { Response } from 'express'

/** Sets the headers of a stream of server-sent events. Neither kept nor changed on its way: proxies that compress would hold it back. */
export function setEventHeaders(response: Response): void {
  response.set({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
}

/** Returns an event as it is written to a stream. */
export const eventText = (name: string, data: object): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
