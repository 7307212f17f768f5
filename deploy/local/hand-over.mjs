// Runs the program that `bootstrap.mjs` prepares. Plain JavaScript for the same reason.
import { spawn } from 'node:child_process'

/** Delays before restarts after crashes; the last one repeats. */
const DELAYS_SECONDS = [0, 1, 5, 30]
/** Serving time after which the next crash counts as the first. */
const RECOVERED_MS = 60_000

/**
 * Runs a program, passes signals on and exits as it does. A program that has sent `serving` (by IPC) is restarted when
 * it crashes, unless it has sent `stopping` or exits with 0.
 */
export function handOver(command, args, { cwd, env, say }) {
  let child
  let timer
  let isStopping = false
  let hasServed = false
  let crashes = 0

  function start() {
    timer = undefined
    let servesSince
    function startAgain(why) {
      if (servesSince && performance.now() - servesSince > RECOVERED_MS) crashes = 0
      const seconds = DELAYS_SECONDS[crashes] ?? DELAYS_SECONDS.at(-1)
      crashes += 1
      const when = seconds ? `in ${seconds} s` : 'now'
      say(`Voxscribe crashed (${why}). It starts again ${when}; nothing is lost.`)
      timer = setTimeout(start, seconds * 1000)
    }
    try {
      child = spawn(command, args, { cwd, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
    } catch (error) {
      // Out of memory; other errors of a start arrive as an event.
      if (!hasServed) throw error
      return startAgain(error.message)
    }
    child.on('message', message => {
      if (message === 'stopping') isStopping = true
      if (message !== 'serving') return
      hasServed = true
      servesSince = performance.now()
    })
    child.on('error', error => {
      if (child.pid !== undefined) return
      if (!hasServed) throw error
      startAgain(error.message)
    })
    child.on('exit', (code, signal) => {
      if (isStopping || !hasServed || code === 0) process.exit(code ?? 1)
      startAgain(signal ?? `exit code ${code}`)
    })
  }

  function stop(signal) {
    isStopping = true
    if (timer) process.exit(0)
    child.kill(signal)
  }
  // Losing the reader of the output is not a reason to exit.
  process.stdout.on('error', () => {})
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
  // npm passes signals on (`exec` in package.json leaves no shell that would swallow them), but not its own sudden end,
  // after which nothing could stop this process.
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && stop('SIGTERM'), 500).unref()
  start()
}
