import type { mongo } from 'mongoose'

const LOOK_EVERY_MS = 5_000
/** Longer than the driver's limit for a heartbeat, after which it fails and the next one follows. */
const LOOKS = 6

/**
 * Calls `lost` when a heartbeat of the driver neither succeeds nor fails. When a connection closes just as the driver
 * (7.8) uses it, its heartbeat hangs for ever: no other follows, and this process cannot reach the database until it is
 * restarted. Counts checks instead of time, as a process that was suspended for a while has lost nothing. Returns
 * functions to check and to stop checking.
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
