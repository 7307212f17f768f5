import { useQuery } from '@tanstack/react-query'
import type { PublicConfig } from '@voxscribe/contracts/http'
import { type Language, languageName, languages } from '@voxscribe/contracts/languages'
import { UI_LANGUAGE_NAMES } from '@voxscribe/languages'
import { configQuery, useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { useSession } from '../session/use-session.ts'
import { paceInWords } from './pace.ts'

/** Which engine recognises speech on this installation, and which languages it knows. */
export function SpeechHere({ all = inNumber(languages.length - 1) }: { all?: string }) {
  // An engine may have come since the page was loaded.
  const { data } = useQuery({ ...configQuery, staleTime: 0 })
  if (!data) return null
  const { secondsPerMinute: seconds } = data.speech
  return (
    <span className="block text-sm text-soft">
      {sentence(data.speech, all)} {seconds !== undefined && paceInWords(seconds)}
    </span>
  )
}

/** Names languages in the reader's, and divides them into those that are recognised here and the others. */
export function useKnownLanguages(languages: readonly Pick<Language, 'id'>[]) {
  const known = useConfig().data?.speech?.languages ?? 'all'
  const divided = known !== 'all' && known.length > 0
  const groups = divided ? ['', i18n.t('Recognised here'), i18n.t('Not recognised here at the moment')] : []
  const placeOf = (id: string) => (id === 'auto' ? 0 : !divided || known.includes(id) ? 1 : 2)
  return useNearestFirst(languages)
    .map(language => ({ ...language, group: groups[placeOf(language.id)] }))
    .sort((a, b) => placeOf(a.id) - placeOf(b.id))
}

/** Entry of the browser with the language that was chosen last. */
const LAST_USED = 'languageLastUsed'
export const rememberLanguage = (id: string) => id && localStorage.setItem(LAST_USED, id)

/** Languages with their names in the reader's: the person's, the one chosen last, the chat's, all others. */
export function useNearestFirst(languages: readonly Pick<Language, 'id'>[]) {
  const { wa_language = '', ui_language = '' } = useSession().user ?? {}
  const near = [wa_language, ui_language, localStorage.getItem(LAST_USED) ?? '']
  const chat = Object.keys(UI_LANGUAGE_NAMES)
  const rankOf = (id: string) => {
    const at = near.indexOf(id)
    return at >= 0 ? at : chat.includes(id) ? near.length : near.length + 1
  }
  return languages
    .map(({ id }) => ({ id, label: languageName(i18n, id) }))
    .sort((a, b) => rankOf(a.id) - rankOf(b.id) || a.label.localeCompare(b.label, i18n.locale))
}

function sentence({ engines: [engine], languages: heard }: PublicConfig['speech'], all: string): string {
  if (!engine)
    return i18n.t('We can’t transcribe notes at the moment. They are kept and transcribed as soon as we can.')
  const known = heard === 'all' ? [] : heard.map(id => languageName(i18n, id))
  const by = ENGINES[engine.name]
  const values = {
    engine: `${by ? i18n.t(by) : engine.name} (${engine.model})`,
    languages: inWords(known) ?? all,
  }
  return known.length === 1
    ? i18n.t('Speech is recognised by {engine}, in {languages} only.', values)
    : i18n.t('Speech is recognised by {engine}, in {languages}.', values)
}

/** Few are named, many are counted. */
function inWords(names: string[]): string | undefined {
  if (names.length > MOST_NAMED) return inNumber(names.length)
  return names.length ? new Intl.ListFormat(i18n.locale).format(names) : undefined
}

const inNumber = (count: number) => i18n.t('{count, plural, one {# language} other {# languages}}', { count })

const MOST_NAMED = 31
const ENGINES: Record<string, string> = {
  local: /*i18n*/ 'a model on our own servers',
  openai: 'OpenAI',
  sphinx: 'PocketSphinx',
}
