import type { Span } from '../audio/levels.ts'

/** A model that turns a voice into a vector. */
export interface VoiceModel {
  path: string
  /** Cosine of the angle between two vectors of one voice, at least. */
  threshold: number
}

/** How sherpa-onnx loads a model: which kind it is, and where its files lie. */
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
  /** Seconds of silence that are put before and after. */
  padding: number
  /** Least probability of speech, 0 to 1. */
  threshold: number
  /** Ends with the first span. */
  onlyFirst: boolean
}
export interface Recognise extends Samples {
  do: 'recognise'
  model: ModelFiles
  /** Seconds of the file. */
  span: Span
  /** A language id; empty lets the model find out. */
  language: string
}
/** Makes a vector of the voice in each window. */
export interface Embed extends Samples {
  do: 'embed'
  /** Path of the model that tells voices apart. */
  voices: string
  /** Seconds of the file. */
  windows: Span[]
}
export interface Group extends Pick<VoiceModel, 'threshold'> {
  do: 'group'
  vectors: Float32Array[]
  /** How many groups; null: until they are less alike than `threshold`. */
  count: number | null
}
export type Task = Detect | Recognise | Embed | Group

export interface Recognised {
  text: string
  /** A language id; empty when the model does not tell. */
  language: string
  /** Sentences with seconds from the beginning of the piece; empty when the model gives none. */
  segments: (Span & { text: string })[]
  /** Tokens with the second at which each begins, and how sure the model is of it; empty when it gives none. */
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

/** `loaded` comes before the result: from then on a crash is about the task. `found` comes while it goes on. */
export type Reply = { loaded: true } | { found: Span[] } | { result: ResultOf<Task> } | { error: string }
