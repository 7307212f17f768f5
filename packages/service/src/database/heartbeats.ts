import type { mongo } from 'mongoose'

const LOOK_EVERY_MS = 5_000
/** Longer than the driver's own limit for a heartbeat, after which it fails and the next one follows. */
const LOOKS = 6

/** Calls `lost` if a heartbeat hangs, as the driver's (7.8) may. Counts checks, not time: processes get suspended. */
export function watchHeartbeats(client: Pick<mongo.MongoClient, 'on'>, lost: () => void) {
  let isOpen = false
  let looks = 0
  const ended = () => {
    isOpen = false
  }
  client.on('serverHeartbeatStarted', () => {
    isOpen = true
    looks = 0
  })
  client.on('serverHeartbeatSucceeded', ended)
  client.on('serverHeartbeatFailed', ended)
  const look = () => {
    looks += 1
    if (isOpen && looks === LOOKS) lost()
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return { look, stop: () => clearInterval(timer) }
}
