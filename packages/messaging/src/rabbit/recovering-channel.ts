import type { AmqpConnectionManager } from 'amqp-connection-manager'
import type { Channel, ChannelModel, ConfirmChannel } from 'amqplib'
import type { Logger } from 'pino'
import { asError } from '../bus.ts'
import { settledWithin, within } from '../within.ts'

const REOPEN_MS = 500
const CHANNEL_CLOSE_MS = 2_000

export type RecoveringChannel = ReturnType<typeof createRecoveringChannel>

/** The connection to the broker, which reconnects by itself. */
export interface Link {
  connections: AmqpConnectionManager
  log: Logger
  /** Longest time in ms for the broker to answer a call other than a publish. */
  answerWaitMs: number
}

/**
 * Creates a channel that is reopened after a lost connection, and after the broker closed only this channel (a handler
 * past the consumer timeout, a deleted queue). Its user must not use the old one: delivery tags are only valid on their
 * own channel. `setUp` runs on every new channel before it counts as open.
 */
export function createRecoveringChannel(
  { connections, log, answerWaitMs }: Link,
  name: string,
  setUp: (channel: ConfirmChannel) => Promise<void>,
) {
  const first = Promise.withResolvers<void>()
  let current: ConfirmChannel | undefined
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
    let made: ConfirmChannel | undefined
    try {
      const channel = await answered(answerWaitMs, connection.createConfirmChannel())
      made = channel
      channel.on('error', err => log.warn({ err, channel: name }, 'The broker closed a channel'))
      channel.once('close', () => {
        alive = false
        if (current === channel) current = undefined
        reopenSoon()
      })
      await answered(answerWaitMs, setUp(channel))
      if (!alive) return
      current = channel
      first.resolve()
      if (closed) await closeInTime(channel)
    } catch (thrown) {
      const error = asError(thrown)
      log.warn({ err: error, channel: name }, 'Could not open a channel')
      // A reply code is a refusal by the broker (406: it exists with other settings); any other error may be temporary.
      if (typeof (error as { code?: unknown }).code === 'number') first.reject(error)
      if (made && alive) void closeInTime(made)
      reopenSoon()
    }
  }

  connections.on('connect', open)
  open()
  return {
    /** Resolves once the channel is open for the first time; rejects if the broker refuses the setup. */
    opened: first.promise,
    current: () => current,
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

export const NOT_FOUND = 404

/**
 * Returns a `setUp` that only checks, and creates missing parts when it is called again after a check has failed. With
 * `isMaking`, it always creates them.
 */
export function checkingFirst(
  check: (channel: ConfirmChannel) => Promise<unknown>,
  make: (channel: ConfirmChannel) => Promise<unknown>,
  isMaking: boolean,
): (channel: ConfirmChannel) => Promise<void> {
  let isMissing = isMaking
  return async channel => {
    if (isMissing) await make(channel)
    try {
      await check(channel)
      isMissing = isMaking
    } catch (error) {
      if ((error as { code?: unknown }).code !== NOT_FOUND) throw error
      isMissing = true
      // Without the broker's code, as this refusal isn't final.
      throw new Error('What a migration makes is missing on the broker: it is made now', { cause: error })
    }
  }
}

/** Closes a channel. amqplib's own `close` throws on a closed channel, and never ends if the connection is lost. */
export const closeInTime = (channel: Channel) =>
  settledWithin(
    CHANNEL_CLOSE_MS,
    Promise.try(() => channel.close()),
  )

/** Returns the broker's answer, or throws if it takes longer than `waitMs`: amqplib itself waits forever. */
export function answered<T>(waitMs: number, call: Promise<T>): Promise<T> {
  return within(waitMs, call, () => {
    throw new Error('The broker did not answer in time')
  })
}
