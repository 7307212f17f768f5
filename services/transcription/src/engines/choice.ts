import type { Logger } from '@voxscribe/service'
import type { Ffmpeg } from '../audio/ffmpeg.ts'
import { onPath } from '../on-path.ts'
import type { TranscriptionSettings } from '../settings.ts'
import type { Engine } from './engine.ts'
import { createOpenAi } from './openai.ts'
import { createSphinx } from './sphinx.ts'
import { createWhisper } from './whisper.ts'

interface Deps {
  settings: TranscriptionSettings
  ffmpeg: Ffmpeg
  log: Logger
}

export interface Engines {
  /** The engine to use now; undefined when there is none. Looked up anew each time: one may be installed any time. */
  current(): Engine | undefined
  /** What a person must do to get one. */
  missing: string
}

const INSTALL = {
  whisper: 'install whisper.cpp (WHISPER_COMMAND) and set WHISPER_MODEL',
  sphinx: 'install the packages pocketsphinx and pocketsphinx-en-us (English only)',
}

/** Chooses by the setting SPEECH_ENGINE. */
export function createEngines({ settings, ffmpeg, log }: Deps): Engines {
  const { OPENAI_API_KEY: apiKey, WHISPER_MODEL: model, SPEECH_TIMEOUT: timeoutMs } = settings
  const openai = apiKey
    ? createOpenAi({
        apiKey,
        baseUrl: settings.OPENAI_BASE_URL,
        model: settings.OPENAI_MODEL,
        timeoutMs,
        ffmpeg,
        log,
      })
    : undefined
  const whisper = () => {
    const command = onPath(settings.WHISPER_COMMAND)
    return model && command ? createWhisper({ command, model, timeoutMs, ffmpeg }) : undefined
  }
  const sphinx = () => {
    const command = onPath(settings.SPHINX_COMMAND)
    return command ? createSphinx({ command, timeoutMs }) : undefined
  }
  const ways = {
    auto: {
      find: () => openai ?? whisper() ?? sphinx(),
      missing: `set OPENAI_API_KEY, or ${INSTALL.whisper}, or ${INSTALL.sphinx}`,
    },
    openai: { find: () => openai, missing: 'set OPENAI_API_KEY' },
    whisper: { find: whisper, missing: INSTALL.whisper },
    sphinx: { find: sphinx, missing: INSTALL.sphinx },
  }
  const way = ways[settings.SPEECH_ENGINE]
  return { current: way.find, missing: `Waiting for a speech engine: ${way.missing}.` }
}
