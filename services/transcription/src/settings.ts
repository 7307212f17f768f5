import { existsSync } from 'node:fs'
import {
  baseSettings,
  blobChecks,
  blobSettings,
  duration,
  offerSettings,
  onOff,
  publicUrl,
  rate,
  textModel,
  url,
  whole,
} from '@voxscribe/service'
import { MODELS, onPath, VOICES } from '@voxscribe/speech'
import { z } from 'zod'
import { checkKeys, enginesSetting, withKeys } from './engines-setting.ts'

/** A model of the table, or a path, which may not exist yet. Other names are refused: they would change the engine. */
const modelOf = (models: { name: string }[], form: string) =>
  z
    .string()
    .refine(
      text => text.includes('/') || existsSync(text) || models.some(({ name }) => name === text),
      `must be a name of \`npm run model\`, or the path of ${form}`,
    )
    .optional()

export const modelSettings = z.object({
  DATA_DIR: baseSettings.shape.DATA_DIR,
  LOCAL_MODEL: modelOf(MODELS, 'a folder with its files').describe(
    'Model of `local`: a name of `npm run model`, or a folder with its files; unset: the best that is here',
  ),
  SPEAKER_MODEL: modelOf([VOICES], 'a file').describe(
    'Model that tells voices apart: `campplus` of `npm run model`, or a file; unset: `campplus` if it has been fetched; it is never fetched automatically',
  ),
  MODEL_DIR: z.string().optional().meta({
    description: 'Folder of the models, one folder each',
    fallback: '`DATA_DIR`/models',
  }),
  MODEL_SOURCE: url
    .default('https://huggingface.co')
    .describe('Hugging Face, or a mirror that serves the same paths'),
  MODEL_FETCH: onOff('on').describe(
    'Whether `npm start` without an engine’s key fetches the model that it needs; `npm run model` always does',
  ),
})

const allSettings = baseSettings
  .extend(blobSettings.shape)
  .extend(modelSettings.shape)
  .extend({
    SPEECH_ENGINE: z
      .enum(['auto', 'openai', 'local', 'sphinx'], 'must be auto, openai, local or sphinx')
      .default('auto')
      .describe(
        '`openai`, `local` (a model on this machine), `sphinx` (PocketSphinx, English), or `auto`: all that are available, best first; a note that one can’t serve goes to the next',
      ),
    ENGINES: enginesSetting.describe(
      'The engines, best first: JSON, or the path of a JSON file ([providers](providers.md#a-list-of-engines)); unset: what `SPEECH_ENGINE`, `OPENAI_…` and `MODEL_DIR` give',
    ),
    OPENAI_API_KEY: z.string().optional().describe('Key for OpenAI, or for a server with its protocol'),
    OPENAI_BASE_URL: url
      .default('https://api.openai.com/v1')
      .describe('OpenAI, or a server with its protocol; with the version'),
    OPENAI_MODEL: z.string().default('gpt-transcribe').describe('Model for transcription'),
    TEXT_MODEL: textModel,
    TEXT_BASE_URL: url
      .optional()
      .describe('Server with `POST /chat/completions`, with the version; unset: `OPENAI_BASE_URL`'),
    TEXT_API_KEY: z
      .string()
      .optional()
      .describe('Key for the text model; unset: `OPENAI_API_KEY`, if both servers are the same'),
    TEXT_PRICE: z
      .string()
      .regex(/^\d+(\.\d+)?\/\d+(\.\d+)?$/, 'must be two prices such as 0.25/2')
      .transform(text => {
        const [input = 0, output = 0] = text.split('/').map(Number)
        return { input, output }
      })
      .optional()
      .describe(
        'US dollars per million tokens that the text model reads and writes, such as `0.25/2`; `0/0`: free; unset: the price published by OpenAI, Mistral or Groq, else only tokens are counted',
      ),
    WORKING_NOTICE: z
      .union(
        [z.literal('off').transform(() => null), duration('3m')],
        'must be a duration such as 3m, 24d at most, or off',
      )
      .describe('Delay before a chat is told that its note is being worked on; `off`: never'),
    TEXT_TIMEOUT: duration('2m').describe('How long one call of the text model may take'),
    MODEL_BUDGET: z.coerce
      .number('must be an amount of US dollars, such as 5')
      .min(0, 'must be at least 0')
      .default(0)
      .describe(
        'US dollars that speech engines and the text model may cost together in a day (UTC), by their published prices and `TEXT_PRICE`; then notes go to engines without a price, or fail where there is none, and there are no summaries and translations until the next day; `0`: no limit',
      ),
    SPHINX_COMMAND: z.string().default('pocketsphinx_continuous').describe('The program of PocketSphinx'),
    SECOND_LISTENER: z
      .enum(['auto', 'off'], 'must be auto or off')
      .default('auto')
      .describe(
        'Whether an idle model on this machine hears notes again whose engine gives no times or confidence, for word times and marks of doubt; the text stays',
      ),
    FFMPEG_PATH: z
      .string()
      .refine(path => onPath(path), 'is not a program')
      .optional()
      .describe('ffmpeg; unset: the one on the `PATH`, else the bundled one'),
    WORK_DISK_BUDGET: whole(1).unwrap().optional().meta({
      description:
        'Megabytes of temporary files that notes may take while they are worked on; a note waits until there is room',
      fallback: 'four fifths of what is free there at the start',
    }),
    TRANSCRIPTION_CONCURRENCY: whole(1, { max: 1000 }).unwrap().optional().meta({
      description: 'Notes at once; engines on this machine take a core each',
      fallback:
        '32 with an engine of a provider, else the number of cores (of a container: its CPU limit), at least 2',
    }),
    TRANSCRIPTION_SHORT_CONCURRENCY: whole(1, { max: 1000 }).describe(
      'Extra places for notes of up to a minute while others take all places',
    ),
    TRY: onOff('on').describe(
      'Whether visitors may record a 30 s note without an account while no note is being worked on: 3 a day per browser, 20 per address; an engine with a price costs the same as for a note',
    ),
    PUBLIC_URL: publicUrl,
    PLANS: offerSettings.PLANS,
    FFMPEG_TIMEOUT: duration('2m').describe(
      'Processor time that ffmpeg may take to read a note, and how long it may stand still',
    ),
    SPEECH_TIMEOUT: duration('5m').describe(
      'How long one call of a speech engine may take, for one part of a note',
    ),
    NOTE_TIMEOUT: duration('30m').describe(
      'How long a note may be worked on without progress; a finished part is progress',
    ),
    NOTE_LEASE: duration('20s').describe(
      'How long a process that works on a note may be silent before another one takes the note over',
    ),
    NOTE_RETRY_AFTER: duration('1s').describe(
      'Wait before failed work on a note is tried again; later waits are 5, 30, 120 and 600 times as long, then the next engine serves, or the note fails',
    ),
    DRAIN_TIMEOUT: duration('60s').describe(
      'How long calls to a provider, which cost money, may take to finish after SIGTERM; other work is released at once',
    ),
    QUEUE_TIMEOUT: duration('1d', '365d').describe(
      'How long a note may wait for its turn, or for its minutes',
    ),
    SWEEP_EVERY: duration('1m').describe('How often overdue notes are looked for'),
    RATE_LIMIT_SHARED: rate('300/1m').describe('Views of shared notes per address'),
    ENGINE_CHECK_EVERY: duration('30s').describe('How often notes that wait for an engine look for one'),
  })

const NAMES = Object.keys(allSettings.shape)

/** Settings of this service. ENGINES may name keys in the rest of the environment, which is read, then dropped. */
export const transcriptionSettings = (allSettings.loose() as unknown as typeof allSettings)
  .check(...blobChecks)
  .superRefine(({ ENGINES = [], ...env }, context) =>
    checkKeys(ENGINES, env, message => context.addIssue({ code: 'custom', path: ['ENGINES'], message })),
  )
  .overwrite(given => {
    const named = Object.fromEntries(Object.entries(given).filter(([name]) => NAMES.includes(name)))
    return { ...(named as typeof given), ...(given.ENGINES && { ENGINES: withKeys(given.ENGINES, given) }) }
  })
  .refine(settings => settings.ENGINES || settings.SPEECH_ENGINE !== 'openai' || settings.OPENAI_API_KEY, {
    path: ['OPENAI_API_KEY'],
    message: 'is needed for SPEECH_ENGINE=openai',
  })
export type TranscriptionSettings = z.output<typeof transcriptionSettings>
