import { officialLanguages } from '@voxscribe/contracts/languages'
import type { Abilities } from './entry.ts'

/** A speech model of a server. */
export interface HostedModel extends Abilities {
  /** Fields of a call with OpenAI's protocol, in addition to file, model, language and words. */
  fields?: Readonly<Record<string, string | readonly string[]>>
  /** The field for the language; default: `language`. */
  named?: (language: string) => Record<string, string | readonly string[]>
  /** Factor of the price if the person's words are sent; default: 1. */
  wordsCost?: number
  /** The day on which its provider retires it, if published. */
  ends?: string
}

interface Row {
  kind: string
  /** Host name of the server; unset: any. */
  host?: RegExp
  model: RegExp
  abilities: HostedModel
  /** The page that states price and abilities, and the day it was read. */
  source: string
  on: string
}

/** Formats that every server with OpenAI's protocol accepts. */
const ORIGINALS = {
  'audio/ogg': 'ogg',
  'audio/ogg; codecs=opus': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/x-m4a': 'm4a',
}

/** No part reaches the protocol's limit of 25 MB: it is more than 90 minutes of Opus, and no upload exceeds 16 MB. */
const openAi = {
  partsAtOnce: 4,
  languages: 'all',
  hints: officialLanguages,
  originals: ORIGINALS,
  words: 'prompt',
  times: 'none',
} as const
/** Limits: 2,000 tokens of output, which is about ten minutes of fast speech, and 1,400 s of input. */
const gpt4o = {
  ...openAi,
  partSeconds: 480,
  fields: { response_format: 'json', include: ['logprobs'] },
} as const
const whisper = {
  ...openAi,
  partSeconds: 1_200,
  times: 'segments',
  fields: { response_format: 'verbose_json' },
} as const

/** The model that replaces those that are being retired. */
export const REPLACEMENT_MODEL = 'gpt-transcribe'

/** From OpenAI's notice of 2026-08-26 (platform.openai.com/docs/deprecations). */
const RETIRING = { ends: '2027-02-26' } as const

/** The chunking strategy is required above 30 seconds. */
const DIARISING = {
  fields: { response_format: 'json', chunking_strategy: 'auto' },
  words: undefined,
} as const
const LISTING = {
  times: 'none',
  fields: { response_format: 'json' },
  named: (language: string) => ({ languages: [language] }),
  words: 'keywords',
} as const

/** Voxtral can't return times if the request names a language. */
const voxtral = {
  partSeconds: 1_800,
  partsAtOnce: 2,
  languages: 'en zh hi es ar fr pt ru de ja ko it nl'.split(' '),
  hints: [],
  originals: ORIGINALS,
  words: 'keywords',
  times: 'segments',
  speakers: true,
} as const

/** Scribe's keyterms cost 20 % more, so words are only sent if the list says so. */
const scribe = {
  partSeconds: 1_800,
  partsAtOnce: 2,
  languages: 'all',
  originals: ORIGINALS,
  times: 'words',
  speakers: true,
  wordsCost: 1.2,
} as const

/** Other servers of OpenAI's protocol (whisper.cpp's, Speaches, vLLM, LocalAI): free, all languages of Whisper. */
const { hints: _, ...protocol } = whisper
const OTHER: Row = {
  kind: 'openai',
  model: /./,
  abilities: { ...protocol, partsAtOnce: 2, perMinute: 0 },
  source: 'not in the table of known models',
  on: '2026-11-29',
}

const OPENAI = { kind: 'openai', source: 'platform.openai.com/docs/pricing', on: '2026-11-20' }
const GROQ = {
  kind: 'openai',
  host: /(^|\.)groq\.com$/,
  source: 'console.groq.com/docs/speech-text',
  on: '2026-11-29',
}
const FIREWORKS = {
  kind: 'openai',
  host: /(^|\.)fireworks\.ai$/,
  source: 'fireworks.ai/models/fireworks/whisper-v3-turbo',
  on: '2026-11-29',
}
const SCRIBE = { kind: 'elevenlabs', source: 'developer.puter.com/tutorials/elevenlabs-api-pricing' }
const VOXTRAL = { kind: 'mistral', source: 'openrouter.ai/mistralai/voxtral-mini-transcribe' }

/** Hosted models; the first match counts. Prices in US dollars per minute. */
const TABLE: Row[] = [
  {
    ...OPENAI,
    model: /^gpt-4o.*-diarize/,
    abilities: { ...gpt4o, ...DIARISING, ...RETIRING, perMinute: 0.006 },
  },
  { ...OPENAI, model: /^gpt-4o-mini-transcribe/, abilities: { ...gpt4o, ...RETIRING, perMinute: 0.003 } },
  { ...OPENAI, model: /^gpt-4o-transcribe/, abilities: { ...gpt4o, ...RETIRING, perMinute: 0.006 } },
  { ...OPENAI, model: /^gpt-transcribe/, abilities: { ...whisper, ...LISTING, perMinute: 0.0045 } },
  { ...OPENAI, model: /^whisper-1$/, abilities: { ...whisper, ...RETIRING, perMinute: 0.006 } },
  { ...GROQ, model: /^whisper-large-v3-turbo$/, abilities: { ...whisper, perMinute: 0.04 / 60 } },
  { ...GROQ, model: /^whisper-large-v3$/, abilities: { ...whisper, perMinute: 0.111 / 60 } },
  { ...FIREWORKS, model: /^whisper-v3-turbo$/, abilities: { ...whisper, perMinute: 0.0009 } },
  OTHER,
  {
    kind: 'mistral',
    model: /^voxtral-mini-2507$/,
    abilities: {
      ...voxtral,
      languages: 'en es fr pt hi de nl it'.split(' '),
      words: undefined,
      speakers: false,
      perMinute: 0.002,
    },
    source: 'docs.mistral.ai/models/voxtral-mini-transcribe-25-07',
    on: '2026-11-29',
  },
  { ...VOXTRAL, model: /./, abilities: { ...voxtral, perMinute: 0.003 }, on: '2026-11-29' },
  { ...SCRIBE, model: /./, abilities: { ...scribe, perMinute: 0.22 / 60 }, on: '2026-06-30' },
]

/** Returns the row of a hosted model. */
export function knownModel(kind: string, model: string, url: string): Row {
  const { hostname } = new URL(url)
  const fits = (row: Row) =>
    row.kind === kind && row.model.test(model) && (!row.host || row.host.test(hostname))
  return TABLE.find(fits) ?? OTHER
}
