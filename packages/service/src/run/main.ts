import type { Service } from '@voxscribe/contracts/events'
import type { z } from 'zod'
import { createLog } from '../observe/log.ts'
import { type BaseSettings, type HttpSettings, standaloneSettings } from '../settings/common-settings.ts'
import { checkSettings, type Environment, SettingsError } from '../settings/settings.ts'
import type { ServiceDefinition, StatelessDefinition } from './definition.ts'
import { stopOnSignal } from './ending.ts'
import { migrateService, type RunningService, runService } from './run-service.ts'

/**
 * Runs a service as a separate process until SIGTERM or SIGINT. With the argument `migrate`, it only migrates; with
 * `--migrate`, it migrates as a part of its start.
 */
export async function runAsProcess<
  S extends Service,
  Schema extends z.ZodType<BaseSettings>,
  Plain extends z.ZodType<HttpSettings>,
>(definition: ServiceDefinition<S, Schema> | StatelessDefinition<Plain>, env: Environment): Promise<void> {
  // Before the start is complete there is nothing to finish: the next start repeats it.
  let running: Pick<RunningService, 'drain' | 'stop'> = { drain: async () => {}, stop: async () => {} }
  stopOnSignal(
    () => running.stop(),
    () => running.drain(),
  )
  try {
    if (!('stateless' in definition))
      checkSettings([
        { settings: definition.settings, env },
        { settings: standaloneSettings(definition.name), env },
      ])
    if (process.argv[2] === 'migrate') {
      if (!('stateless' in definition)) await migrateService(definition, env)
      process.exit()
    }
    running = await runService(definition, env, { migrates: process.argv[2] === '--migrate' })
  } catch (error) {
    if (error instanceof SettingsError) process.stderr.write(`${definition.name}: ${error.message}\n`)
    else createLog(definition.name, 'error').fatal({ err: error }, 'could not start')
    process.exit(1)
  }
}
