/** The package has no types for ES modules. These cover only what `worker.ts` uses. */
declare module 'sherpa-onnx-node' {
  /** The model determines which lists are present. */
  export interface Result {
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
  interface Stream {
    acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void
  }
  class OfflineRecognizer {
    /** Rejects for a damaged model, for which the constructor would end the process. */
    static createAsync(config: object): Promise<OfflineRecognizer>
    createStream(): Stream
    setConfig(config: object): void
    decodeAsync(stream: Stream): Promise<Result>
  }
  class Vad {
    constructor(config: object, bufferSeconds: number)
    acceptWaveform(samples: Float32Array): void
    flush(): void
    isEmpty(): boolean
    /** Ends the process if it is empty. `start` is in samples. */
    front(external: boolean): { start: number; samples: Float32Array }
    pop(): void
    /** Forgets what it took, as if it were new. */
    reset(): void
  }
  class SpeakerEmbeddingExtractor {
    /** Ends the process if the file isn't such a model. */
    constructor(config: { model: string; numThreads: number })
    createStream(): Stream & { inputFinished(): void }
    compute(stream: Stream, external: boolean): Float32Array
  }
  const sherpa: {
    SpeakerEmbeddingExtractor: typeof SpeakerEmbeddingExtractor
    OfflineRecognizer: typeof OfflineRecognizer
    Vad: typeof Vad
  }
  export default sherpa
}
