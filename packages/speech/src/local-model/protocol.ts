import type { Span } from '../audio/levels.ts'

/** A model that turns a voice into a vector. */
export interface VoiceModel {
  path: string
  /** Minimum cosine of the angle between two vectors of the same voice. */
  threshold: number
}

/** How sherpa-onnx loads a model: its kind, and the folder of its files. */
export interface ModelFiles {
  kind: 'whisper' | 'moonshine' | 'transducer' | 'sense-voice'
  folder: string
}

/** Samples on disk: 16 kHz, mono, 16-bit little-endian, no header. `gain` multiplies them. */
interface Samples {
  path: string
  gain: number
}

export interface Detect extends Samples {
  do: 'detect'
  /** Path of Silero's model. */
  detector: string
  /** Seconds of the file. */
  span: Span
  /** Seconds of silence added before and after. */
  padding: number
  /** Minimum probability of speech, 0 to 1. */
  threshold: number
  /** Ends after the first span. */
  onlyFirst: boolean
}
export interface Recognise extends Samples {
  do: 'recognise'
  model: ModelFiles
  /** Seconds of the file. */
  span: Span
  /** Language id; empty: the model detects it. */
  language: string
}
/** Makes a vector of the voice in each window. */
export interface Embed extends Samples {
  do: 'embed'
  /** Path of the model that distinguishes voices. */
  voices: string
  /** Seconds of the file. */
  windows: Span[]
}
export interface Group extends Pick<VoiceModel, 'threshold'> {
  do: 'group'
  vectors: Float32Array[]
  /** Number of groups; null: until they are less alike than `threshold`. */
  count: number | null
}
export type Task = Detect | Recognise | Embed | Group

export interface Recognised {
  text: string
  /** Language id; empty if the model doesn't report it. */
  language: string
  /** Sentences with times in seconds from the start of the piece; empty if the model returns none. */
  segments: (Span & { text: string })[]
  /** Tokens with times and the model's confidence; empty if the model returns none. */
  tokens: (Span & { text: string; confidence: number | null })[]
}

interface Results {
  /** Spans of speech, in seconds of the file. */
  detect: Span[]
  recognise: Recognised
  embed: Float32Array[]
  group: number[]
}
export type ResultOf<T extends Task> = Results[T['do']]

/** `loaded` precedes the result: from then on, a crash is the task's fault. `found` comes while the task runs. */
export type Reply = { loaded: true } | { found: Span[] } | { result: ResultOf<Task> } | { error: string }
