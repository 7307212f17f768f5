import { availableParallelism } from 'node:os'
import { baseSettings, blobSettings, duration, origin, url, whole } from '@voxscribe/service'
import { z } from 'zod'

export const transcriptionSettings = baseSettings
  .extend(blobSettings.shape)
  .extend({
    /** `auto`: OpenAI when there is a key, else whisper.cpp when there is a model, else sphinx when it is installed. */
    SPEECH_ENGINE: z
      .enum(['auto', 'openai', 'whisper', 'sphinx'], 'must be auto, openai, whisper or sphinx')
      .default('auto'),
    OPENAI_API_KEY: z.string().optional(),
    /** Includes the version: `https://api.openai.com/v1`. */
    OPENAI_BASE_URL: url.default('https://api.openai.com/v1'),
    OPENAI_MODEL: z.string().default('gpt-transcribe'),
    /** Path of a whisper.cpp model. */
    WHISPER_MODEL: z.string().optional(),
    WHISPER_COMMAND: z.string().default('whisper-cli'),
    SPHINX_COMMAND: z.string().default('pocketsphinx_continuous'),
    /** Unset: ffmpeg on the PATH, else the one that comes along. */
    FFMPEG_PATH: z.string().optional(),
    /** Notes at once. The engines on this machine take a core each. */
    TRANSCRIPTION_CONCURRENCY: whole(Math.max(2, availableParallelism()), { max: 1000 }),
    PUBLIC_URL: origin.default('http://localhost:8080'),
    FFMPEG_TIMEOUT: duration('2m'),
    /** One call of a speech engine, for one part of a note. */
    SPEECH_TIMEOUT: duration('5m'),
    /** One stage of work on a note. */
    NOTE_TIMEOUT: duration('30m'),
    /** How long a note may wait for its turn, or for its minutes. */
    QUEUE_TIMEOUT: duration('1d'),
    SWEEP_EVERY: duration('1m'),
    ENGINE_CHECK_EVERY: duration('30s'),
  })
  .superRefine((settings, context) => {
    const needed = { openai: 'OPENAI_API_KEY', whisper: 'WHISPER_MODEL' } as const
    const engine = settings.SPEECH_ENGINE
    if (engine !== 'openai' && engine !== 'whisper') return
    if (settings[needed[engine]]) return
    context.addIssue({
      code: 'custom',
      path: [needed[engine]],
      message: `is needed for SPEECH_ENGINE=${engine}`,
    })
  })
export type TranscriptionSettings = z.output<typeof transcriptionSettings>
