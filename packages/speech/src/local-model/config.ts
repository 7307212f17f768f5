import { join } from 'node:path'
import { SAMPLE_RATE } from '../audio/levels.ts'
import type { ModelFiles } from './protocol.ts'

/**
 * Frames of 10 ms of silence after each piece. sherpa-onnx's default of 1,000 takes a tenth more time for the same
 * words; with 500, a few more words are wrong (docs/speech.md).
 */
const TAIL_FRAMES = 700

/** Returns the settings with which sherpa-onnx loads a model, for a language if the model takes one. */
export function configOf({ kind, folder }: ModelFiles, language: string) {
  const file = (name: string) => join(folder, name)
  const models = {
    whisper: {
      whisper: {
        encoder: file('encoder.int8.onnx'),
        decoder: file('decoder.int8.onnx'),
        language,
        task: 'transcribe',
        // Otherwise a clip under 4 s may repeat itself.
        enableSegmentTimestamps: 1,
        // Only models exported with attention return these; others ignore the setting.
        enableTokenTimestamps: 1,
        tailPaddings: TAIL_FRAMES,
      },
    },
    moonshine: {
      moonshine: {
        encoder: file('encoder_model.ort'),
        mergedDecoder: file('decoder_model_merged.ort'),
      },
    },
    transducer: {
      transducer: {
        encoder: file('encoder.int8.onnx'),
        decoder: file('decoder.int8.onnx'),
        joiner: file('joiner.int8.onnx'),
      },
      modelType: 'nemo_transducer',
    },
    'sense-voice': {
      senseVoice: { model: file('model.int8.onnx'), language, useInverseTextNormalization: 1 },
    },
  }
  return {
    featConfig: { sampleRate: SAMPLE_RATE, featureDim: 80 },
    modelConfig: { ...models[kind], tokens: file('tokens.txt'), numThreads: 1 },
  }
}
