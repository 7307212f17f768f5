import { type Environment, readSettings } from '@voxscribe/service'
import { fetchNeeded, modelsOf } from '@voxscribe/speech'
import { z } from 'zod'
import { enginesSetting } from '../engines-setting.ts'
import { modelSettings } from '../settings.ts'

const startSettings = modelSettings.extend({
  ENGINES: enginesSetting,
  SPEECH_ENGINE: z.string().default('auto'),
  OPENAI_API_KEY: z.string().optional(),
})

/** Fetches the models that `npm start` without a key needs. `stop` aborts; the next start resumes. */
export function fetchAtStart(env: Environment): { done: Promise<void>; stop(): Promise<void> } {
  const settings = readSettings(startSettings, env)
  const { ENGINES, SPEECH_ENGINE: engine, OPENAI_API_KEY: key } = settings
  const { MODEL_FETCH, MODEL_SOURCE: source } = settings
  const abort = new AbortController()
  const isLocal =
    ENGINES?.some(({ kind }) => kind === 'local') ?? (engine === 'local' || (engine === 'auto' && !key))
  const isNeeded = MODEL_FETCH && isLocal
  const fetching = { models: modelsOf(settings), source, signal: abort.signal }
  const done = isNeeded ? fetchNeeded(fetching) : Promise.resolve()
  return {
    done,
    async stop() {
      abort.abort(new Error('The service stops'))
      await done
    },
  }
}
