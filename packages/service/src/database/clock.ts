import type { Logger } from '../observe/log.ts'

/** Machines that keep time differ by less. */
const APART_MS = 1_000
const ASK_EVERY_MS = 10_000

/** The machine's clock, and how far `Date` is ahead of it. */
const Machine = Date
let aheadMs = 0

/** Also what libraries read. It keeps the prototype, so that a `Date` is one wherever it was made. */
const sharedNow = () => Machine.now() + aheadMs
const Shared = new Proxy(Machine, {
  construct: (target, given, as) => Reflect.construct(target, given.length ? given : [sharedNow()], as),
  apply: () => new Machine(sharedNow()).toString(),
  get: (target, name) => (name === 'now' ? sharedNow : Reflect.get(target, name)),
})

/**
 * Has `Date` go by the database's clock, the one that all processes share, when this machine's is off: what one process
 * writes (when work is due, until when something can be undone, when a message was sent) is compared with the time by
 * another. The time in a reply may be as old as the reply took. `ask` returns the database's time, undefined from a
 * server that does not tell it. Resolves after the first reply, rejects without one; returns a function that stops.
 */
export async function followClock(
  ask: () => Promise<Date | undefined>,
  log: Logger,
  { elapsed = () => performance.now(), everyMs = ASK_EVERY_MS } = {},
): Promise<() => Promise<void>> {
  async function look(): Promise<void> {
    const asked = elapsed()
    const time = await ask()
    const tookMs = elapsed() - asked
    if (!time) return
    const apartMs = Math.round(time.getTime() + tookMs / 2 - Machine.now())
    if (Math.abs(apartMs - aheadMs) <= APART_MS + tookMs / 2) return
    log.warn({ apartMs }, 'The machine’s clock is not the database’s, which this process goes by')
    aheadMs = apartMs
    globalThis.Date = Shared
  }
  await look()
  const timer = setInterval(() => void look().catch(() => {}), everyMs).unref()
  return async () => clearInterval(timer)
}
