import type { Service } from '@voxscribe/contracts/events'
import type { z } from 'zod'
import { createLog } from '../observe/log.ts'
import { type BaseSettings, type HttpSettings, settingsApart } from '../settings/common-settings.ts'
import { checkSettings, type Environment, SettingsError } from '../settings/settings.ts'
import type { ServiceDefinition, StatelessDefinition } from './definition.ts'
import { runService } from './run-service.ts'

/** Runs a service as a separate process: starts it, and stops it cleanly on SIGTERM or SIGINT. */
export async function runAsProcess<
  S extends Service,
  Schema extends z.ZodType<BaseSettings>,
  Plain extends z.ZodType<HttpSettings>,
>(definition: ServiceDefinition<S, Schema> | StatelessDefinition<Plain>, env: Environment): Promise<void> {
  // Before the start is complete there is nothing to finish: it is repeated at the next start.
  let stop = async () => {}
  stopOnSignal(() => stop())
  try {
    if (!('stateless' in definition))
      checkSettings([
        { settings: definition.settings, env },
        { settings: settingsApart(definition.name), env },
      ])
    stop = (await runService(definition, env)).stop
  } catch (error) {
    if (error instanceof SettingsError) process.stderr.write(`${definition.name}: ${error.message}\n`)
    else createLog(definition.name, 'error').fatal({ err: error }, 'could not start')
    process.exit(1)
  }
}

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
    void stop().then(() => process.exit(0))
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
