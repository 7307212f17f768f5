import { useQuery } from '@tanstack/react-query'
import type { PublicConfig } from '@voxscribe/contracts/http'
import { languageName, languages } from '@voxscribe/contracts/languages'
import { configQuery } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { engineWithModel } from '../language/names.ts'
import { paceInWords } from './pace.ts'

/** Says which engines recognize speech on this installation, and which languages they support together. */
export function SpeechHere({ all = inNumber(languages.length - 1) }: { all?: string }) {
  // An engine may have been added since the page was loaded.
  const { data } = useQuery({ ...configQuery, staleTime: 0 })
  if (!data) return null
  const { secondsPerMinute: seconds } = data.speech
  return (
    <span className="block text-sm text-soft">
      {sentence(data.speech, all)} {seconds !== undefined && paceInWords(seconds)}
    </span>
  )
}

function sentence({ engines, languages: heard }: PublicConfig['speech'], all: string): string {
  if (!engines.length)
    return i18n.t('We can’t transcribe notes at the moment. They are kept and transcribed as soon as we can.')
  const known = heard === 'all' ? [] : heard.map(id => languageName(i18n, id))
  const values = {
    engine: new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(engines.map(engineWithModel)),
    languages: inWords(known) ?? all,
  }
  return known.length === 1
    ? i18n.t('Speech is recognized by {engine}, in {languages} only.', values)
    : i18n.t('Speech is recognized by {engine}, in {languages}.', values)
}

/** Lists a few names, but counts many. */
function inWords(names: string[]): string | undefined {
  if (names.length > NAMED_MAX) return inNumber(names.length)
  return names.length ? new Intl.ListFormat(i18n.locale).format(names) : undefined
}

const inNumber = (count: number) => i18n.t('{count, plural, one {# language} other {# languages}}', { count })

const NAMED_MAX = 31
