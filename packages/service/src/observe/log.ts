import { AsyncLocalStorage } from 'node:async_hooks'
import pino from 'pino'
import { openLogFile } from './log-file.ts'
import { errorForLog, withoutPersonalWords } from './log-privacy.ts'

export type Logger = pino.Logger

const trace = new AsyncLocalStorage<string>()

/** Adds the trace's id to everything logged inside, so that a note can be followed through all services. */
export const withTrace = <T>(traceId: string, work: () => T): T => trace.run(traceId, work)
export const currentTrace = (): string | undefined => trace.getStore()

const files = new Map<string | undefined, pino.DestinationStream>()

/**
 * Creates a logger of JSON lines to standard output or the end of a file. Blanks secrets that slip into an object, and
 * people's addresses and numbers.
 */
export function createLog(service: string, level: string, file?: string): Logger {
  return pino(
    {
      level,
      base: { service },
      mixin: () => {
        const traceId = trace.getStore()
        return traceId ? { traceId } : {}
      },
      serializers: { err: errorForLog },
      formatters: { log: withoutPersonalWords },
      redact: ['*.password', '*.accessToken', '*.refreshToken', '*.authorization', '*.token'],
    },
    destination(file || undefined),
  )
}

/** The services of one process write to a file through one shared stream. */
function destination(path: string | undefined): pino.DestinationStream {
  const stream = files.get(path) ?? openLogFile(path)
  files.set(path, stream)
  return stream
}
