import type { Readable } from 'node:stream'

export interface Log {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}

/** Counters and gauges, in the form that a library for metrics has. */
export interface Metrics {
  /** Seconds that an engine takes for a second of audio. */
  engineRatio: { observe(labels: { engine: string }, ratio: number): void }
  /** Segments that were left out, as nobody has said them. */
  phantoms: { inc(labels: { engine: string; why: string }, segments: number): void }
  workersKilled: { inc(): void }
  /** Model files that are there and cannot be loaded. */
  modelsUnusable: { inc(labels: { model: string }): void }
  /** When the provider ends the model in use, in seconds since 1970. */
  modelEnds: { set(labels: { model: string }, at: number): void }
}

export interface Files {
  exists(key: string): Promise<boolean>
  read(key: string): Promise<Readable>
}

/** The process that uses the library hands it these. */
export interface Around {
  files: Files
  temporaryFolder(): string
  /** Makes a `fetch` that fails an answer of more bytes. */
  boundedFetch(bytesMax: number): typeof fetch
  log: Log
  metrics?: Metrics | undefined
}
