import type { Service } from '@voxscribe/contracts/events'
import type { z } from 'zod'
import type { Job, ServiceDefinition } from '../run/definition.ts'
import type { BaseSettings } from '../settings/common-settings.ts'

/** Wraps a service so that a test can run its jobs before they are due. */
export function withJobs<S extends Service, Schema extends z.ZodType<BaseSettings>>(
  service: ServiceDefinition<S, Schema>,
) {
  let jobs: Job[] = []
  const definition: ServiceDefinition<S, Schema> = {
    ...service,
    async build(parts) {
      const built = await service.build(parts)
      jobs = built.jobs ?? []
      return built
    },
  }
  return {
    definition,
    async run(name: string): Promise<void> {
      const job = jobs.find(candidate => candidate.name === name)
      if (!job) throw new Error(`There is no job "${name}"`)
      await job.run()
    },
  }
}
