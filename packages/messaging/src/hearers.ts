import type { Logger } from 'pino'

export type Hear = (data: unknown) => void

/** The hearers, in this process, of what is told to all processes of a service. */
export function createHearers(log: Logger) {
  const hearers = new Map<string, Hear[]>()
  return {
    services: () => [...hearers.keys()],
    add: (service: string, hear: Hear) => void hearers.set(service, [...(hearers.get(service) ?? []), hear]),
    /** One that fails does not keep the others from hearing it. */
    tell(service: string, data: unknown): void {
      for (const hear of hearers.get(service) ?? []) {
        try {
          hear(structuredClone(data))
        } catch (err) {
          log.warn({ err, service }, 'Could not hear what all are told')
        }
      }
    },
  }
}
