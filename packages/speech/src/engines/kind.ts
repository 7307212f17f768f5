import type { Ffmpeg } from '../audio/ffmpeg.ts'
import type { Host } from '../host.ts'
import type { NativePool } from '../local-model/pool.ts'
import type { Models } from '../models/folder.ts'
import type { EngineSettings } from '../settings.ts'
import type { Engine } from './engine.ts'
import type { EngineEntry } from './entry.ts'
import type { Dialect } from './hosted.ts'

export interface KindDeps extends Pick<Host, 'boundedFetch' | 'log'> {
  settings: EngineSettings
  models: Models
  pool: NativePool
  ffmpeg: Ffmpeg
}

export interface Kind {
  /** The address of a hosted kind's own provider; unset if it runs on this machine. */
  url?: string
  /** Opens an engine. The returned function returns it, or undefined while it isn't available. */
  open(entry: EngineEntry, deps: KindDeps): Promise<() => Engine | undefined>
  /** How an installation gets one. */
  howToGet: string
}

/** A kind that runs on a server. */
export const hosted = (dialect: Dialect, howToGet: string): Kind => ({
  url: dialect.url,
  howToGet,
  async open(entry, deps) {
    // Imported here, because loading the library slows down the start.
    const { createHosted } = await import('./hosted.ts')
    const engine = createHosted(entry, dialect, { ...deps, timeoutMs: deps.settings.SPEECH_TIMEOUT })
    return () => engine
  },
})
