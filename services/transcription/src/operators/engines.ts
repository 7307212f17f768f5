// npm run engines: the engines of this installation, best first.
import {
  boundedFetch,
  createLog,
  openBlobs,
  readSettings,
  SettingsError,
  temporaryFolder,
} from '@voxscribe/service'
import { engineList, isEngine, openSpeech, say, sourceOf } from '@voxscribe/speech'
import { transcriptionSettings } from '../settings.ts'
import { factsOf } from './engine-facts.ts'

try {
  // The list does not depend on the database.
  const settings = readSettings(transcriptionSettings, { MONGO_URL: 'mongodb://none', ...process.env })
  const log = createLog('engines', 'silent')
  const speech = await openSpeech(settings, {
    files: openBlobs(settings),
    temporaryFolder,
    boundedFetch,
    log,
  })
  const entries = engineList(settings)
  for (const [at, engine] of speech.engines.ladder().entries()) {
    const place = `${at + 1}. ${engine.name}`
    const entry = entries[at]
    if (!isEngine(engine) || !entry) {
      say(`${place}: not here`)
      continue
    }
    say(`${place}: ${engine.kind}, ${engine.model}; ${factsOf(engine).join(', ')}${sourceOf(entry)}`)
  }
  speech.stop()
  await speech.close()
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
