const STOP_WITHIN_MS = 9_000

/**
 * The first signal starts the stop; more of the same signal (a whole process group gets it) change nothing. After 9 s the
 * process exits with code 1 whatever is still running: nothing acknowledged is lost by that, and Docker kills
 * after 10 s.
 */
export function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false
  const end = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    void stop().then(() => process.exit())
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Whether this process ends by itself, to be started again by its supervisor. */
export const isRestarting = (): boolean => process.exitCode === 1

/** Stops this process as a signal does, but with exit code 1, at which every supervisor starts it again. */
export function restart(): void {
  process.exitCode = 1
  process.kill(process.pid, 'SIGTERM')
}
