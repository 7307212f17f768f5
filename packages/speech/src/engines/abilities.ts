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

/** Two parts at once end at about the same time when none is much longer than the others. */
const LOADED_HERE = { partSeconds: 120, partsAtOnce: 2, perMinute: 0 } as const

/** Kinds of models that `local` loads. The model determines the languages. */
export const LOCAL = {
  /** Loses the end of 28 s, and drops everything past 29.5 s. */
  whisper: { ...LOADED_HERE, pieceSeconds: 20, times: 'segments' },
  /** From 9.4 s on sherpa-onnx returns an empty text. */
  moonshine: { ...LOADED_HERE, pieceSeconds: 8, times: 'none' },
  transducer: { ...LOADED_HERE, pieceSeconds: 30, times: 'words' },
  'sense-voice': { ...LOADED_HERE, pieceSeconds: 30, times: 'words' },
} as const satisfies Record<string, Omit<Abilities, 'languages'>>

export const SPHINX: Abilities = {
  partSeconds: 60,
  partsAtOnce: 1,
  languages: ['en'],
  perMinute: 0,
  times: 'words',
}
