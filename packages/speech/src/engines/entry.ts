import { PART_BITS_PER_SECOND } from '../audio/levels.ts'

/** Limits, languages and abilities of an engine. */
export interface Abilities {
  /** Longest audio of one call, stored as one finished part. */
  partSeconds: number
  /** Longest input of the model; default: a whole part. */
  pieceSeconds?: number
  partsAtOnce: number
  languages: 'all' | readonly string[]
  /** Languages that a request may name. Unset: all. */
  hints?: readonly string[]
  /** US dollars per minute of audio. */
  perMinute: number
  /** File suffix by MIME type of the uploads that are sent unchanged; unset: none. */
  originals?: Readonly<Record<string, string>>
  /** Largest file of one call, in bytes; unset: none of ours is too large. */
  maxBytes?: number
  /** The field in which it takes a person's own words. Unset: none. */
  words?: 'keywords' | 'prompt' | undefined
  /** The times that an answer has. */
  times: 'words' | 'segments' | 'none'
  /** Whether an answer says who speaks. */
  speakers?: boolean
}

/** An engine as the list names it. What is left out comes from the tables. */
export interface EngineEntry {
  name: string
  kind: string
  /** Of a hosted one: of OpenAI's protocol with the version, else the origin. */
  url?: string | undefined
  key?: string | undefined
  /** Unset for one on this machine: the best that is here. */
  model?: string | undefined
  languages?: Abilities['languages'] | undefined
  /** US dollars. */
  pricePerMinute?: number | undefined
  times?: Abilities['times'] | undefined
  /** Whether it tells speakers apart. */
  speakers?: boolean | undefined
  /** Whether it gets a person's own words. */
  words?: boolean | undefined
  /** false: it is never told the language. */
  languageHint?: boolean | undefined
  /** Bounds of one call. */
  maxSeconds?: number | undefined
  maxBytes?: number | undefined
  /** Calls under way at once in this process. */
  concurrency?: number | undefined
  /** Milliseconds of one call. */
  timeout?: number | undefined
}

/** Returns what an engine takes: what the list says of it, else what is known. */
export function abilitiesOf<Known extends Abilities>(entry: EngineEntry, known: Known): Known {
  const { maxSeconds = known.partSeconds, maxBytes, words } = entry
  const seconds = maxBytes ? Math.floor((maxBytes * 8) / PART_BITS_PER_SECOND) : Number.POSITIVE_INFINITY
  return {
    ...known,
    languages: entry.languages ?? known.languages,
    perMinute: entry.pricePerMinute ?? known.perMinute,
    times: entry.times ?? known.times,
    speakers: entry.speakers ?? known.speakers,
    words: words === false ? undefined : (known.words ?? (words ? 'keywords' : undefined)),
    ...(entry.languageHint === false && { hints: [] }),
    ...(maxBytes && { maxBytes }),
    partSeconds: Math.max(1, Math.min(maxSeconds, seconds)),
  }
}
