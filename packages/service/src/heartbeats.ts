import type { mongo } from 'mongoose'

const LOOK_EVERY_MS = 5_000
/** Longer than the driver gives a heartbeat: then it fails, and the next one follows. */
const LOOKS = 6

/**
 * Calls `lost` when a heartbeat of the driver has neither worked nor failed. When a connection closes just as the
 * driver (7.8) uses it, that never ends: no other heartbeat follows, and the database stays away for this process, which
 * only a new start helps. Counted in looks, not in time: a process that was stopped for a while has lost nothing.
 * Returns how to look, and how to stop that.
 */
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
