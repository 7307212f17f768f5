import type { Readable } from 'node:stream'

export interface Log {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}

/** Counters and gauges, in the shape of a metrics library. */
export interface Metrics {
  /** Seconds that an engine takes per second of audio. */
  engineRatio: { observe(labels: { engine: string }, ratio: number): void }
  /** Segments that were dropped because nobody said them. */
  phantoms: { inc(labels: { engine: string; why: string }, segments: number): void }
  workersKilled: { inc(): void }
  /** Model files that exist but can't be loaded. */
  modelsUnusable: { inc(labels: { model: string }): void }
  /** Unix time in seconds at which the provider retires the model in use. */
  modelEnds: { set(labels: { model: string }, at: number): void }
}

export interface Files {
  exists(key: string): Promise<boolean>
  read(key: string): Promise<Readable>
}

/** Services and settings that the process provides to the library. */
export interface Host {
  files: Files
  temporaryFolder(): string
  /** Makes a `fetch` that fails a response of more bytes. */
  boundedFetch(bytesMax: number): typeof fetch
  log: Log
  metrics?: Metrics | undefined
}
