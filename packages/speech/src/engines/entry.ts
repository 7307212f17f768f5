import { PART_BITS_PER_SECOND } from '../audio/levels.ts'
import { SHORTEST_PART_SECONDS } from '../audio/pieces.ts'

const PART_BYTES_PER_SECOND = PART_BITS_PER_SECOND / 8
/** The smallest `maxBytes`. */
export const SHORTEST_PART_BYTES = SHORTEST_PART_SECONDS * PART_BYTES_PER_SECOND

/** An engine's limits, languages and abilities. */
export interface Abilities {
  /** Longest audio of one call, which is stored as one finished part. */
  partSeconds: number
  /** Longest input of the model; unset: a whole part. */
  pieceSeconds?: number
  partsAtOnce: number
  languages: 'all' | readonly string[]
  /** Languages that a request may name; unset: all. */
  hints?: readonly string[]
  /** US dollars per minute of audio. */
  perMinute: number
  /** File extension by MIME type of the uploads that are sent unchanged; unset: none. */
  originals?: Readonly<Record<string, string>>
  /** Largest file of one call in bytes; unset: no limit that our files reach. */
  maxBytes?: number
  /** The field for the person's own words; unset: none. */
  words?: 'keywords' | 'prompt' | undefined
  /** The times in a response. */
  times: 'words' | 'segments' | 'none'
  /** Whether a response says who speaks. */
  speakers?: boolean
}

/** An engine as the list names it. Defaults come from the tables. */
export interface EngineEntry {
  name: string
  kind: string
  /** Address of a hosted engine: with the version for OpenAI's protocol, otherwise the origin. */
  url?: string | undefined
  key?: string | undefined
  /** Unset for an engine on this machine: the best available model. */
  model?: string | undefined
  languages?: Abilities['languages'] | undefined
  /** US dollars. */
  pricePerMinute?: number | undefined
  times?: Abilities['times'] | undefined
  /** Whether it distinguishes speakers. */
  speakers?: boolean | undefined
  /** Whether it receives the person's own words. */
  words?: boolean | undefined
  /** If false, it never receives the language. */
  languageHint?: boolean | undefined
  /** Limits of one call. */
  maxSeconds?: number | undefined
  maxBytes?: number | undefined
  /** Concurrent calls of this process. */
  concurrency?: number | undefined
  /** Timeout of one call in milliseconds. */
  timeout?: number | undefined
}

/** Returns an engine's abilities: those in the list, otherwise the known ones. */
export function abilitiesOf<Known extends Abilities>(entry: EngineEntry, known: Known): Known {
  const { maxSeconds = known.partSeconds, maxBytes = Number.POSITIVE_INFINITY, words } = entry
  return {
    ...known,
    languages: entry.languages ?? known.languages,
    perMinute: entry.pricePerMinute ?? known.perMinute,
    times: entry.times ?? known.times,
    speakers: entry.speakers ?? known.speakers,
    words: words === false ? undefined : (known.words ?? (words ? 'keywords' : undefined)),
    ...(entry.languageHint === false && { hints: [] }),
    ...(entry.maxBytes && { maxBytes }),
    partSeconds: Math.min(maxSeconds, Math.floor(maxBytes / PART_BYTES_PER_SECOND)),
  }
}
