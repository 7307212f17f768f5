const STOP_WITHIN_MS = 9_000

/** The first signal stops; SIGTERM drains first, Ctrl-C does not. 9 s after the drain the process exits anyway. */
export function stopOnSignal(stop: () => Promise<void>, drain: () => Promise<void>): void {
  let stopping = false
  const end = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    // A process that cannot reach its database could not keep what the drain saves.
    if (signal === 'SIGTERM' && !isRestarting()) await drain().catch(() => {})
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
