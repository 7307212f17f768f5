import { AsyncLocalStorage } from 'node:async_hooks'
import pino from 'pino'

export type Logger = pino.Logger

const trace = new AsyncLocalStorage<string>()

/** Everything logged inside carries the trace's id, so that one note can be followed through all services. */
export const withTrace = <T>(traceId: string, work: () => T): T => trace.run(traceId, work)
export const currentTrace = (): string | undefined => trace.getStore()

/** JSON lines on standard output; secrets that might slip into an object are blanked. */
export const createLog = (service: string, level: string): Logger =>
  pino({
    level,
    base: { service },
    mixin: () => {
      const traceId = trace.getStore()
      return traceId ? { traceId } : {}
    },
    redact: ['*.password', '*.accessToken', '*.refreshToken', '*.authorization', '*.token'],
  })
