import type { Heard } from './protocol.ts'

/** The result as sherpa-onnx gives it; which lists are filled depends on the model. */
export interface Raw {
  text: string
  lang?: string
  tokens?: string[]
  timestamps?: number[]
  durations?: number[]
  ys_log_probs?: number[]
  segment_timestamps?: number[]
  segment_durations?: number[]
  segment_texts?: string[]
}

/** Takes the lists of a result together. */
export function heardFrom(raw: Raw): Heard {
  const { segment_texts = [], segment_timestamps = [], segment_durations = [], tokens = [] } = raw
  const { timestamps = [], durations = [], ys_log_probs = [] } = raw
  return {
    text: raw.text,
    // `<|en|>` in SenseVoice.
    language: (raw.lang ?? '').replace(/[<|>]/g, ''),
    segments: segment_texts.map((text, index) => {
      const from = segment_timestamps[index] ?? 0
      return { from, to: from + (segment_durations[index] ?? 0), text }
    }),
    tokens: tokens.flatMap((text, index) => {
      const from = timestamps[index]
      if (from === undefined) return []
      const to = from + (durations[index] ?? 0)
      const sure = ys_log_probs[index]
      return [{ text, from, to, confidence: sure === undefined ? null : Math.exp(sure) }]
    }),
  }
}
