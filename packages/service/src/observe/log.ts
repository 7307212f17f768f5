import { AsyncLocalStorage } from 'node:async_hooks'
import pino from 'pino'
import { openLogFile } from './log-file.ts'
import { errorForLog, withoutPersonalWords } from './log-privacy.ts'

export type Logger = pino.Logger

const trace = new AsyncLocalStorage<string>()

/** Everything logged inside carries the trace's id, so that one note can be followed through all services. */
export const withTrace = <T>(traceId: string, work: () => T): T => trace.run(traceId, work)
export const currentTrace = (): string | undefined => trace.getStore()

const files = new Map<string | undefined, pino.DestinationStream>()

/** JSON lines on standard output, or at the end of a file; secrets that might slip into an object
 * and addresses and numbers of people are blanked. */
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

/** The services of one process write to one file through one stream. */
function destination(path: string | undefined): pino.DestinationStream {
  const stream = files.get(path) ?? openLogFile(path)
  files.set(path, stream)
  return stream
}
