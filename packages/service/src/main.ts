import type { Service } from '@voxscribe/contracts/events'
import type { z } from 'zod'
import { type BaseSettings, type HttpSettings, settingsApart } from './common-settings.ts'
import type { ServiceDefinition, StatelessDefinition } from './definition.ts'
import { createLog } from './log.ts'
import { runService } from './run-service.ts'
import { checkSettings, type Environment, SettingsError } from './settings.ts'

/** A service as a process of its own: starts it, and stops it cleanly on SIGTERM or SIGINT. */
export async function runAsProcess<
  S extends Service,
  Schema extends z.ZodType<BaseSettings>,
  Plain extends z.ZodType<HttpSettings>,
>(definition: ServiceDefinition<S, Schema> | StatelessDefinition<Plain>, env: Environment): Promise<void> {
  try {
    if (!('stateless' in definition))
      checkSettings([
        { settings: definition.settings, env },
        { settings: settingsApart(definition.name), env },
      ])
    const running = await runService(definition, env)
    stopOnSignal(running.stop)
  } catch (error) {
    if (error instanceof SettingsError) process.stderr.write(`${definition.name}: ${error.message}\n`)
    else createLog(definition.name, 'error').fatal({ err: error }, 'could not start')
    process.exit(1)
  }
}

const STOP_WITHIN_MS = 9_000

/**
 * The first signal stops; the same signal again (a whole process group gets it) changes nothing. What cannot end in
 * 9 s is cut off with exit code 1: nothing that was acknowledged is lost by that, and an operator's patience ends at
 * 10 s.
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
