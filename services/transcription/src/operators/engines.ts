// npm run engines: the engines of this installation, best first.
import { languages } from '@voxscribe/contracts/languages'
import {
  boundedFetch,
  createLog,
  openBlobs,
  readSettings,
  SettingsError,
  temporaryFolder,
} from '@voxscribe/service'
import {
  type Engine,
  engineList,
  isEngine,
  isHostedKind,
  modelNamed,
  openSpeech,
  say,
  sourceOf,
} from '@voxscribe/speech'
import { transcriptionSettings } from '../settings.ts'

const TIMES: Record<Engine['abilities']['times'], string> = {
  words: 'times of words',
  segments: 'times of sentences',
  none: 'no times',
}

/** Returns the benchmark's results for a local model that it has measured. */
function measuredOf({ kind, model }: Engine): string[] {
  const shares = Object.entries((kind === 'local' && modelNamed(model)?.wrongWords) || {})
  if (!shares.length) return []
  return [
    `wrong words ${shares.map(([language, share]) => `${language} ${share} %`).join(', ')} (docs/speech.md)`,
  ]
}

function factsOf(engine: Engine): string[] {
  const { abilities, kind } = engine
  const { languages: known, perMinute, times, speakers, words } = abilities
  const count = known === 'all' ? languages.length - 1 : known.length
  const price = perMinute ? `$${perMinute.toFixed(5)} a minute` : 'without a price'
  return [
    count > 5 ? `${count} languages` : [known].flat().join(' '),
    isHostedKind({ kind }) ? price : 'free',
    TIMES[times],
    ...(speakers ? ['speakers'] : []),
    ...(words ? ['own words'] : []),
    ...measuredOf(engine),
  ]
}

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
