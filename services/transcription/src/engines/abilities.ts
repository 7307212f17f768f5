import { officialLanguages } from '@voxscribe/contracts/languages'
import { PART_BITS_PER_SECOND } from '../audio/levels.ts'

/** Abilities of an engine: they determine cuts, requests and cost. */
export interface Abilities {
  /** Longest audio of one call, stored as one finished part. */
  partSeconds: number
  /** Longest input of the model; default: a whole part. */
  pieceSeconds?: number
  /** Largest file of one call; unset: reads the samples from disk. */
  partBytes?: number
  /** Parallel parts of one note. */
  partsAtOnce: number
  /** Language ids. */
  languages: 'all' | readonly string[]
  /** Languages that a request may name. Unset: all. */
  hints?: readonly string[]
  times: 'words' | 'segments' | 'none'
  hasConfidence: boolean
  /** US dollars per minute of audio. */
  perMinute: number
  /** File suffix by MIME type of the uploads that are sent unchanged; unset: none. */
  originals?: Readonly<Record<string, string>>
}

/** Formats that every server of the protocol reads. */
const ORIGINALS = {
  'audio/ogg': 'ogg',
  'audio/ogg; codecs=opus': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/x-m4a': 'm4a',
}

/** The protocol's limit: more than 90 minutes of Opus. */
const PART_BYTES = 25_000_000

const openAi = {
  partsAtOnce: 4,
  partBytes: PART_BYTES,
  languages: 'all',
  hints: officialLanguages,
  originals: ORIGINALS,
} as const
/** Limits: 2,000 tokens of output, about ten minutes of quick speech, and 1,400 s of input. */
const gpt4o = { ...openAi, partSeconds: 480, times: 'none', hasConfidence: true } as const

const WHISPER = { partSeconds: 1_200, times: 'segments', hasConfidence: true } as const

/** OpenAI's models; prices as published in November 2026. */
const OPENAI: [RegExp, Abilities][] = [
  [/^gpt-4o.*-diarize/, { ...gpt4o, hasConfidence: false, perMinute: 0.006 }],
  [/^gpt-4o-mini-transcribe/, { ...gpt4o, perMinute: 0.003 }],
  [/^gpt-4o-transcribe/, { ...gpt4o, perMinute: 0.006 }],
  [
    /^gpt-transcribe/,
    { ...openAi, partSeconds: 1_200, times: 'none', hasConfidence: false, perMinute: 0.0045 },
  ],
  [/^whisper-1$/, { ...openAi, ...WHISPER, perMinute: 0.006 }],
]
/** Another server of the protocol, on the operator's machine: free, with all languages of Whisper. */
const { hints: _, ...protocol } = openAi
const OTHER: Abilities = { ...protocol, ...WHISPER, partsAtOnce: 2, perMinute: 0 }

export const abilitiesOfOpenAi = (model: string): Abilities =>
  OPENAI.find(([pattern]) => pattern.test(model))?.[1] ?? OTHER

/** Two parts at once end at about the same time when none is much longer than the others. */
const LOADED_HERE = { partSeconds: 120, partsAtOnce: 2, perMinute: 0 } as const

/** Kinds of models that `local` loads. The model determines the languages. */
export const LOCAL = {
  /** Loses the end of 28 s, and drops everything past 29.5 s. */
  whisper: { ...LOADED_HERE, pieceSeconds: 20, times: 'segments', hasConfidence: false },
  /** From 9.4 s on sherpa-onnx returns an empty text. */
  moonshine: { ...LOADED_HERE, pieceSeconds: 8, times: 'none', hasConfidence: false },
  transducer: { ...LOADED_HERE, pieceSeconds: 30, times: 'words', hasConfidence: true },
  'sense-voice': { ...LOADED_HERE, pieceSeconds: 30, times: 'words', hasConfidence: false },
} as const satisfies Record<string, Omit<Abilities, 'languages'>>

export const SPHINX: Abilities = {
  partSeconds: 60,
  partsAtOnce: 1,
  languages: ['en'],
  times: 'words',
  hasConfidence: true,
  perMinute: 0,
}

/** Seconds of the longest part, by the limits of length and file size. */
export const longestPart = ({ partSeconds, partBytes = Number.POSITIVE_INFINITY }: Abilities): number =>
  Math.min(partSeconds, (partBytes * 8) / PART_BITS_PER_SECOND)

export const knows = ({ languages }: Pick<Abilities, 'languages'>, language: string): boolean =>
  language === 'auto' || languages === 'all' || languages.includes(language)
