import { availableParallelism } from 'node:os'
import { baseSettings, blobSettings, duration, publicUrl, url, whole } from '@voxscribe/service'
import { z } from 'zod'
import { onPath } from './on-path.ts'

export const transcriptionSettings = baseSettings
  .extend(blobSettings.shape)
  .extend({
    SPEECH_ENGINE: z
      .enum(['auto', 'openai', 'whisper', 'sphinx'], 'must be auto, openai, whisper or sphinx')
      .default('auto')
      .describe(
        '`openai`, `whisper` (whisper.cpp), `sphinx`, or `auto`: OpenAI when there is a key, else whisper.cpp when there is a model, else sphinx when it is installed, else notes wait',
      ),
    OPENAI_API_KEY: z.string().optional().describe('Key for OpenAI, or for what speaks its protocol'),
    OPENAI_BASE_URL: url
      .default('https://api.openai.com/v1')
      .describe('OpenAI, or anything that speaks its protocol; with the version'),
    OPENAI_MODEL: z.string().default('gpt-transcribe').describe('Model for transcription'),
    WHISPER_MODEL: z.string().optional().describe('Path of a whisper.cpp model'),
    WHISPER_COMMAND: z.string().default('whisper-cli').describe('The program of whisper.cpp'),
    SPHINX_COMMAND: z.string().default('pocketsphinx_continuous').describe('The program of PocketSphinx'),
    FFMPEG_PATH: z
      .string()
      .refine(path => onPath(path), 'is not a program')
      .optional()
      .describe('ffmpeg; unset: the one on the `PATH`, else the one that comes along'),
    TRANSCRIPTION_CONCURRENCY: whole(Math.max(2, availableParallelism()), { max: 1000 }).meta({
      description: 'Notes at once; the engines on this machine take a core each',
      fallback: 'number of cores, at least 2',
    }),
    PUBLIC_URL: publicUrl,
    FFMPEG_TIMEOUT: duration('2m').describe('How long ffmpeg may take for a note'),
    SPEECH_TIMEOUT: duration('5m').describe(
      'How long one call of a speech engine may take, for one part of a note',
    ),
    NOTE_TIMEOUT: duration('30m').describe(
      'How long a note may be worked on without progress; a finished part is progress',
    ),
    NOTE_LEASE: duration('20s').describe(
      'How long a process that works on a note may be silent until another one takes the note over',
    ),
    QUEUE_TIMEOUT: duration('1d').describe('How long a note may wait for its turn, or for its minutes'),
    SWEEP_EVERY: duration('1m').describe('How often notes that took too long are looked for'),
    ENGINE_CHECK_EVERY: duration('30s').describe('How often notes that wait for an engine look for one'),
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
