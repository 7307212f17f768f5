import { officialLanguages } from '@voxscribe/contracts/languages'
import { PART_BITS_PER_SECOND } from '../audio/levels.ts'

/** Abilities of an engine. They drive how notes are cut, what is asked, and what it costs. */
export interface Abilities {
  /** Longest audio of one call, and of what is kept as one finished part. */
  partSeconds: number
  /** Longest stretch that the model itself takes; by default all of a part. */
  pieceSeconds?: number
  /** Largest file of one call; unset: it reads the samples on this machine. */
  partBytes?: number
  /** Parts of one note side by side. */
  partsAtOnce: number
  /** Ids of the languages that it understands. */
  languages: 'all' | readonly string[]
  /** Languages that it may be told; others are left out. Unset: all. */
  hints?: readonly string[]
  times: 'words' | 'segments' | 'none'
  hasConfidence: boolean
  /** US dollars for a minute of audio. */
  perMinute: number
  /** Kinds of files that it takes as they come, by MIME type, with the ending that their names need; unset: none. */
  originals?: Readonly<Record<string, string>>
}

/** Compressed sound that every server of the protocol reads. */
const ORIGINALS = {
  'audio/ogg': 'ogg',
  'audio/ogg; codecs=opus': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/x-m4a': 'm4a',
}

/** The protocol's limit; of our parts that is over an hour and a half. */
const PART_BYTES = 25_000_000

const openAi = {
  partsAtOnce: 4,
  partBytes: PART_BYTES,
  languages: 'all',
  hints: officialLanguages,
  originals: ORIGINALS,
} as const
/** At most 2,000 tokens come back, about ten minutes of quick speech, and 1,400 s go in. */
const gpt4o = { ...openAi, partSeconds: 480, times: 'none', hasConfidence: true } as const

const whisper = { partSeconds: 1_200, times: 'segments', hasConfidence: true } as const

/** OpenAI's models; prices as published in November 2026. */
const OPENAI: [RegExp, Abilities][] = [
  [/^gpt-4o.*-diarize/, { ...gpt4o, hasConfidence: false, perMinute: 0.006 }],
  [/^gpt-4o-mini-transcribe/, { ...gpt4o, perMinute: 0.003 }],
  [/^gpt-4o-transcribe/, { ...gpt4o, perMinute: 0.006 }],
  [
    /^gpt-transcribe/,
    { ...openAi, partSeconds: 1_200, times: 'none', hasConfidence: false, perMinute: 0.0045 },
  ],
  [/^whisper-1$/, { ...openAi, ...whisper, perMinute: 0.006 }],
]
/** Another server of the protocol, on the operator's machine: free, with all languages of Whisper. */
const { hints: _, ...protocol } = openAi
const OTHER: Abilities = { ...protocol, ...whisper, partsAtOnce: 2, perMinute: 0 }

export const abilitiesOfOpenAi = (model: string): Abilities =>
  OPENAI.find(([pattern]) => pattern.test(model))?.[1] ?? OTHER

const LOADED_HERE = { partSeconds: 300, partsAtOnce: 2, perMinute: 0 } as const

/** The kinds of models that `local` loads; which languages depends on the model. */
export const LOCAL = {
  /** In one piece of 28 s it may leave out the end; past 29.5 s is dropped. */
  whisper: { ...LOADED_HERE, pieceSeconds: 20, times: 'segments', hasConfidence: false },
  /** From 9.4 s on sherpa-onnx gives an empty text. */
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

/** Returns how long a part may be: as long as the engine listens, and no larger than a file may be. */
export const longestPart = ({ partSeconds, partBytes = Number.POSITIVE_INFINITY }: Abilities): number =>
  Math.min(partSeconds, (partBytes * 8) / PART_BITS_PER_SECOND)

export const knows = ({ languages }: Abilities, language: string): boolean =>
  language === 'auto' || languages === 'all' || languages.includes(language)
