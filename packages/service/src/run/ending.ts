const STOP_WITHIN_MS = 9_000

/** Stops at the first signal. SIGTERM drains first, Ctrl-C does not. The process exits at most 9 s after the drain. */
export function stopOnSignal(stop: () => Promise<void>, drain: () => Promise<void>): void {
  let stopping = false
  const end = async (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    // A process that can't reach its database couldn't store what the drain saves.
    if (signal === 'SIGTERM' && !isRestarting()) await drain().catch(() => {})
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref()
    void stop().then(() => process.exit())
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Whether this process is ending itself so that its supervisor restarts it. */
export const isRestarting = (): boolean => process.exitCode === 1

/** Stops this process as a signal does, but with exit code 1, after which every supervisor restarts it. */
export function restart(): void {
  process.exitCode = 1
  process.kill(process.pid, 'SIGTERM')
}
