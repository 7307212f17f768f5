import { availableParallelism } from 'node:os'
import type { EngineEntry } from './engines/entry.ts'

/** The folder of models, and the chosen models. */
export interface ModelSettings {
  DATA_DIR: string
  /** Unset: `models` in DATA_DIR. */
  MODEL_DIR?: string | undefined
  LOCAL_MODEL?: string | undefined
  SPEAKER_MODEL?: string | undefined
}

export interface EngineSettings {
  /** Unset: the engines that the settings below and the machine provide. */
  ENGINES?: EngineEntry[] | undefined
  SPEECH_ENGINE: 'auto' | 'openai' | 'local' | 'sphinx'
  OPENAI_API_KEY?: string | undefined
  OPENAI_BASE_URL: string
  OPENAI_MODEL: string
  SPHINX_COMMAND: string
  SECOND_LISTENER: 'auto' | 'off'
  /** Milliseconds that one call to an engine may take. */
  SPEECH_TIMEOUT: number
  TRANSCRIPTION_CONCURRENCY?: number | undefined
}

export interface SpeechSettings extends ModelSettings, EngineSettings {
  FFMPEG_PATH?: string | undefined
  /** Milliseconds of processor time for a note, and for which ffmpeg may make no progress. */
  FFMPEG_TIMEOUT: number
  /** Megabytes. */
  WORK_DISK_BUDGET?: number | undefined
}

/** Cores of this machine or container, at least 2. */
export const CORES = Math.max(2, availableParallelism())
