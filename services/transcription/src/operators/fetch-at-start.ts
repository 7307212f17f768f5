import { type Environment, readSettings } from '@voxscribe/service'
import { fetchNeeded, modelsOf } from '@voxscribe/speech'
import { z } from 'zod'
import { modelSettings } from '../settings.ts'

const startSettings = modelSettings.extend({
  SPEECH_ENGINE: z.string().default('auto'),
  OPENAI_API_KEY: z.string().optional(),
})

/** Fetches what `npm start` without a key needs to recognise speech. `stop` breaks off; the next start goes on. */
export function fetchAtStart(env: Environment): { done: Promise<void>; stop(): Promise<void> } {
  const settings = readSettings(startSettings, env)
  const { SPEECH_ENGINE: engine, OPENAI_API_KEY: key, MODEL_FETCH, MODEL_SOURCE: source } = settings
  const abort = new AbortController()
  const isNeeded = MODEL_FETCH && (engine === 'local' || (engine === 'auto' && !key))
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
