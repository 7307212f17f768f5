import { languages } from '@voxscribe/contracts/languages'
import { z } from 'zod'
import { PART_BITS_PER_SECOND } from '../audio/levels.ts'
import { SHORTEST_PART_SECONDS } from '../audio/pieces.ts'

const PART_BYTES_PER_SECOND = PART_BITS_PER_SECOND / 8

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

const IDS = languages.map(({ id }) => id).filter(id => id !== 'auto')
const whole = (least: number) => z.int('must be a whole number').min(least, `must be at least ${least}`)

/** An engine as the list names it. Defaults come from the tables. */
export const EngineEntry = z.strictObject({
  name: z
    .string('is needed')
    .regex(
      /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u,
      'must be up to 40 letters, digits, spaces, dots, _ and -, with a letter or digit first',
    ),
  kind: z.string(),
  /** Address of a hosted engine: with the version for OpenAI's protocol, otherwise the origin. */
  url: z.url({ protocol: /^https?$/, error: 'must be an address with http or https' }).optional(),
  key: z.string().min(1, 'is empty').optional(),
  /** Unset for an engine on this machine: the best available model. */
  model: z.string().min(1, 'is empty').optional(),
  languages: z
    .union(
      [z.literal('all'), z.tuple([z.enum(IDS)], z.enum(IDS))],
      'must be "all" or ids of languages, such as en',
    )
    .optional(),
  /** US dollars. */
  pricePerMinute: z.number('must be US dollars').min(0, 'must be at least 0').optional(),
  times: z.enum(['words', 'segments', 'none'], 'must be words, segments or none').optional(),
  /** Whether it distinguishes speakers. */
  speakers: z.boolean('must be true or false').optional(),
  /** Whether it receives the person's own words. */
  words: z.boolean('must be true or false').optional(),
  /** If false, it never receives the language. */
  languageHint: z.boolean('must be true or false').optional(),
  /** Limits of one call. */
  maxSeconds: whole(SHORTEST_PART_SECONDS).optional(),
  maxBytes: whole(SHORTEST_PART_SECONDS * PART_BYTES_PER_SECOND).optional(),
  /** Concurrent calls of this process. */
  concurrency: whole(1).optional(),
  /** Timeout of one call in milliseconds. */
  timeout: z.number().optional(),
})
export type EngineEntry = z.output<typeof EngineEntry>

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
