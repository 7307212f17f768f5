import { officialLanguages } from '@voxscribe/contracts/languages'

export interface Abilities {
  /** Longest audio of one call, stored as one finished part. */
  partSeconds: number
  /** Longest input of the model; default: a whole part. */
  pieceSeconds?: number
  /** Parallel parts of one note. */
  partsAtOnce: number
  /** Language ids. */
  languages: 'all' | readonly string[]
  /** Languages that a request may name. Unset: all. */
  hints?: readonly string[]
  /** US dollars per minute of audio. */
  perMinute: number
  /** File suffix by MIME type of the uploads that are sent unchanged; unset: none. */
  originals?: Readonly<Record<string, string>>
  /** The field in which it takes a person's own words. Unset: none. */
  words?: 'keywords' | 'prompt' | undefined
}

/** Formats that every server of the protocol reads. */
const ORIGINALS = {
  'audio/ogg': 'ogg',
  'audio/ogg; codecs=opus': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/x-m4a': 'm4a',
}

/** No part reaches the protocol's limit of 25 MB: that is more than 90 minutes of Opus, and no upload is larger than 16 MB. */
const openAi = {
  partsAtOnce: 4,
  languages: 'all',
  hints: officialLanguages,
  originals: ORIGINALS,
  words: 'prompt',
} as const
/** Limits: 2,000 tokens of output, about ten minutes of quick speech, and 1,400 s of input. */
const gpt4o = {
  ...openAi,
  partSeconds: 480,
  fields: { response_format: 'json', include: ['logprobs'] },
} as const
const whisper = { ...openAi, partSeconds: 1_200, fields: { response_format: 'verbose_json' } } as const

interface OpenAiModel extends Abilities {
  /** Fields of a request besides file, model, language and words. */
  fields: object
  /** The field of a language; default: `language`. */
  named?: (language: string) => object
  /** The day on which OpenAI ends it, where that is published. */
  ends?: string
}

/** The model that takes the place of those that end. */
export const HEIR = 'gpt-transcribe'

/** OpenAI's notice of 2026-08-26 (platform.openai.com/docs/deprecations). */
const ENDING = { ends: '2027-02-26' } as const

/** The strategy is required for more than 30 seconds. */
const DIARISING = {
  fields: { response_format: 'json', chunking_strategy: 'auto' },
  words: undefined,
} as const
const LISTING = {
  fields: { response_format: 'json' },
  named: (language: string) => ({ languages: [language] }),
  words: 'keywords',
} as const

/** OpenAI's models; prices as published in November 2026. */
const OPENAI: [RegExp, OpenAiModel][] = [
  [/^gpt-4o.*-diarize/, { ...gpt4o, ...DIARISING, ...ENDING, perMinute: 0.006 }],
  [/^gpt-4o-mini-transcribe/, { ...gpt4o, ...ENDING, perMinute: 0.003 }],
  [/^gpt-4o-transcribe/, { ...gpt4o, ...ENDING, perMinute: 0.006 }],
  [/^gpt-transcribe/, { ...whisper, ...LISTING, perMinute: 0.0045 }],
  [/^whisper-1$/, { ...whisper, ...ENDING, perMinute: 0.006 }],
]
/** Another server of the protocol (whisper.cpp's, speaches, LocalAI): free, with all languages of Whisper. */
const { hints: _, ...protocol } = whisper
const OTHER: OpenAiModel = { ...protocol, partsAtOnce: 2, perMinute: 0 }

export const openAiModel = (model: string): OpenAiModel =>
  OPENAI.find(([pattern]) => pattern.test(model))?.[1] ?? OTHER

/** Two parts at once end at about the same time when none is much longer than the others. */
const LOADED_HERE = { partSeconds: 120, partsAtOnce: 2, perMinute: 0 } as const

type Settings = Record<'SPEECH_ENGINE' | 'OPENAI_BASE_URL' | 'OPENAI_MODEL', string> & {
  OPENAI_API_KEY?: string | undefined
}

/** The day on which OpenAI ends the model in use; undefined if none is known. Other servers use the same names. */
export function modelEndOf(settings: Settings): string | undefined {
  const { SPEECH_ENGINE: engine, OPENAI_API_KEY: key, OPENAI_BASE_URL: url, OPENAI_MODEL: model } = settings
  const isAsked = key && ['auto', 'openai'].includes(engine)
  return isAsked && new URL(url).hostname === 'api.openai.com' ? openAiModel(model).ends : undefined
}

/** Kinds of models that `local` loads. The model determines the languages. */
export const LOCAL = {
  /** Loses the end of 28 s, and drops everything past 29.5 s. */
  whisper: { ...LOADED_HERE, pieceSeconds: 20 },
  /** From 9.4 s on sherpa-onnx returns an empty text. */
  moonshine: { ...LOADED_HERE, pieceSeconds: 8 },
  transducer: { ...LOADED_HERE, pieceSeconds: 30 },
  'sense-voice': { ...LOADED_HERE, pieceSeconds: 30 },
} as const satisfies Record<string, Omit<Abilities, 'languages'>>

export const SPHINX: Abilities = {
  partSeconds: 60,
  partsAtOnce: 1,
  languages: ['en'],
  perMinute: 0,
}
