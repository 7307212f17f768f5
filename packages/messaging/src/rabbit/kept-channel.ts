import type { AmqpConnectionManager } from 'amqp-connection-manager'
import type { Channel, ChannelModel } from 'amqplib'
import type { Logger } from 'pino'
import { asError } from '../bus.ts'
import { settledWithin, within } from '../within.ts'

const REOPEN_MS = 500
const CLOSE_WAIT_MS = 2_000

export type KeptChannel = ReturnType<typeof keepChannel>

/**
 * A channel that comes back: after a lost connection, and after the broker closed this channel alone (a handler
 * past the consumer timeout, a deleted queue). Its user gets each new channel and must not use the old one:
 * delivery tags are only good on the channel they came from.
 */
export function keepChannel<C extends Channel>(deps: {
  connections: AmqpConnectionManager
  log: Logger
  name: string
  create(connection: ChannelModel): Promise<C>
  /** Runs on every new channel before it counts as open. */
  setUp(channel: C): Promise<void>
  lost?(channel: C): void
  /** How long opening it, and setting it up, may each take before another channel is tried, in ms. */
  answerWaitMs: number
}) {
  const { connections, log, name, answerWaitMs } = deps
  const first = Promise.withResolvers<void>()
  let current: C | undefined
  let opening: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false

  function open() {
    if (closed || current || opening || !connections.connection) return
    opening = openOn(connections.connection).finally(() => {
      opening = undefined
    })
  }

  function reopenSoon() {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(open, REOPEN_MS)
  }

  async function openOn(connection: ChannelModel) {
    let alive = true
    let made: C | undefined
    try {
      const channel = await answered(answerWaitMs, deps.create(connection))
      made = channel
      channel.on('error', err => log.warn({ err, channel: name }, 'The broker closed a channel'))
      channel.once('close', () => {
        alive = false
        if (current === channel) current = undefined
        deps.lost?.(channel)
        reopenSoon()
      })
      await answered(answerWaitMs, deps.setUp(channel))
      if (!alive) return
      current = channel
      first.resolve()
      if (closed) await closeInTime(channel)
    } catch (thrown) {
      const error = asError(thrown)
      log.warn({ err: error, channel: name }, 'Could not open a channel')
      // A reply code is the broker's own "no" (406: it exists with other settings); all else may pass.
      if (typeof (error as { code?: unknown }).code === 'number') first.reject(error)
      if (made && alive) void closeInTime(made)
      reopenSoon()
    }
  }

  connections.on('connect', open)
  open()
  return {
    /** Resolves when it is open for the first time; rejects when the broker refuses what it is set up with. */
    opened: first.promise,
    isOpen: () => current !== undefined,
    async close(): Promise<void> {
      closed = true
      clearTimeout(timer)
      connections.removeListener('connect', open)
      first.promise.catch(() => {})
      first.reject(new Error(`The bus closed before ${name} was open`))
      await opening
      if (current) await closeInTime(current)
    },
  }
}

/** Closes a channel. amqplib's own `close` throws on a closed one, and never ends when the connection is lost meanwhile. */
export const closeInTime = (channel: Channel) =>
  settledWithin(
    CLOSE_WAIT_MS,
    Promise.try(() => channel.close()),
  )

/** Returns the broker's answer, or throws when it takes longer than `waitMs`: amqplib waits without limit. */
export function answered<T>(waitMs: number, call: Promise<T>): Promise<T> {
  return within(waitMs, call, () => {
    throw new Error('The broker did not answer in time')
  })
}
