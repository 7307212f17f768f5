import { createReadStream } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from 'express'

export interface BrokenMedia {
  path: string
  bytes: number
}

const SLOW_PIECES = 40
const SLOW_PAUSE_MS = 500

/** Half of the bytes, then the line is cut. */
export async function sendBroken({ path, bytes }: BrokenMedia, response: Response) {
  response.flushHeaders()
  for await (const piece of createReadStream(path, { end: Math.max(Math.floor(bytes / 2) - 1, 0) }))
    response.write(piece)
  await sleep(20)
  response.destroy()
}

/** All of the bytes, spread over about 20 seconds. */
export async function sendSlowly({ path, bytes }: BrokenMedia, response: Response) {
  const highWaterMark = Math.max(Math.ceil(bytes / SLOW_PIECES), 1)
  for await (const piece of createReadStream(path, { highWaterMark })) {
    if (response.destroyed) return
    response.write(piece)
    await sleep(SLOW_PAUSE_MS)
  }
  response.end()
}
