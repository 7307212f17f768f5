import { languages } from '@voxscribe/contracts/languages'
import { type Engine, isHostedKind, modelNamed } from '@voxscribe/speech'

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

/** Returns an engine's languages, price and abilities, each in a few words. */
export function factsOf(engine: Engine): string[] {
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
