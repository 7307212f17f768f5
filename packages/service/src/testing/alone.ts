import type { Service } from '@voxscribe/contracts/events'
import type { Bus } from '@voxscribe/messaging'
import mongoose from 'mongoose'
import type { z } from 'zod'
import type { ServiceDefinition } from '../run/definition.ts'
import { startManagement } from '../run/management.ts'
import { runService } from '../run/run-service.ts'
import type { BaseSettings } from '../settings/common-settings.ts'
import type { Environment } from '../settings/settings.ts'
import { eventually, startTestBackings, testBus } from './backings.ts'
import { withJobs } from './jobs.ts'

/** Runs a service with its own database and bus; the test acts as the other services. `busOf` wraps the bus. */
export async function startAlone<S extends Service, Schema extends z.ZodType<BaseSettings>>(
  service: ServiceDefinition<S, Schema>,
  settings: Environment,
  busOf: (bus: Bus) => Bus = bus => bus,
) {
  const { name } = service
  const backings = await startTestBackings()
  const others = await testBus(name)
  const env: Environment = { ...backings.env, ...settings }
  const management = await startManagement(0, '127.0.0.1')
  const { definition, run } = withJobs(service)
  const running = await runService(definition, env, { bus: busOf(others.bus), management })
  const database = await mongoose
    .createConnection(backings.mongoUrl, { dbName: `${env.MONGO_DB_PREFIX}_${name}` })
    .asPromise()
  return {
    url: running.url,
    env,
    others,
    publish: others.publish,
    backings,
    database,
    managementUrl: `http://127.0.0.1:${management.port}`,
    run,
    stored: (collection: string) =>
      // biome-ignore lint/suspicious/noExplicitAny: what is stored is what the test looks at
      database.collection<{ _id: string; [field: string]: any }>(collection),
    /** Waits for the event among the dead letters. */
    deadLetter: (id: string) =>
      eventually(async () => (await others.deadLetters()).find(letter => letter.id === id)),
    /** Starts another process over the same data, with its own bus. */
    async replica() {
      const bus = await testBus(name)
      const replica = await runService(service, env, { bus: bus.bus })
      return {
        url: replica.url,
        bus,
        async stop() {
          await bus.close()
          await replica.stop()
        },
      }
    },
    async stop() {
      await others.close()
      await running.stop()
      await management.close()
      await database.close()
      await backings.stop()
    },
  }
}

/** Starts one instance for all cases of a file. */
export function forAll<T extends { stop(): Promise<void> }>(start: () => Promise<T>): T {
  const opened = {} as T
  beforeAll(async () => void Object.assign(opened, await start()))
  afterAll(() => opened.stop?.())
  return opened
}
