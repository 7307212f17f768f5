import type { Logger } from 'pino'

export type Hear = (data: unknown) => void

/** The listeners in this process to broadcasts to all processes of a service. */
export function createHearers(log: Logger) {
  const hearers = new Map<string, Hear[]>()
  return {
    services: () => [...hearers.keys()],
    add: (service: string, hear: Hear) => void hearers.set(service, [...(hearers.get(service) ?? []), hear]),
    /** A listener that throws does not affect the others. */
    tell(service: string, data: unknown): void {
      for (const hear of hearers.get(service) ?? []) {
        try {
          hear(structuredClone(data))
        } catch (err) {
          log.warn({ err, service }, 'A listener failed at a broadcast')
        }
      }
    },
  }
}
