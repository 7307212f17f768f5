import { type Language, languageName, languages } from '@voxscribe/contracts/languages'
import { UI_LANGUAGE_NAMES } from '@voxscribe/languages'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { useSession } from '../session/session.ts'
import { readStored, writeStored } from '../storage.ts'
import { Select } from '../ui/form/field.tsx'

interface SpokenLanguageProps {
  value: string
  onChange(id: string): void
  /** An entry before the languages. */
  first?: { id: string; label: string }
  className?: string
}

/** Chooses the language of a recording, and remembers it for the next recording. */
export function SpokenLanguage({ onChange, first, ...rest }: SpokenLanguageProps) {
  const known = useKnownLanguages(languages)
  return (
    <Select
      {...rest}
      label={i18n.t('Spoken language')}
      options={first ? [first, ...known] : known}
      onChange={({ target }) => {
        onChange(target.value)
        rememberLanguage(target.value)
      }}
    />
  )
}

/** Names languages in the reader's language, and separates those recognized here from the others. */
export function useKnownLanguages(languages: readonly Pick<Language, 'id'>[]) {
  const known = useConfig().data?.speech?.languages ?? 'all'
  const divided = known !== 'all' && known.length > 0
  const groups = divided ? ['', i18n.t('Recognized here'), i18n.t('Not recognized here at the moment')] : []
  const placeOf = (id: string) => (id === 'auto' ? 0 : !divided || known.includes(id) ? 1 : 2)
  return useNearestFirst(languages)
    .map(language => ({ ...language, group: groups[placeOf(language.id)] }))
    .sort((a, b) => placeOf(a.id) - placeOf(b.id))
}

/** Storage key of the language chosen last. */
const LAST_USED = 'languageLastUsed'
export const rememberLanguage = (id: string) => id && writeStored(LAST_USED, id)

/** Sorts languages by relevance: the person's, the one chosen last, those of the chat, all others. */
export function useNearestFirst(languages: readonly Pick<Language, 'id'>[]) {
  const { wa_language = '', ui_language = '' } = useSession().user ?? {}
  const near = [wa_language, ui_language, readStored(LAST_USED) ?? '']
  const chat = Object.keys(UI_LANGUAGE_NAMES)
  const rankOf = (id: string) => {
    const at = near.indexOf(id)
    return at >= 0 ? at : chat.includes(id) ? near.length : near.length + 1
  }
  return languages
    .map(({ id }) => ({ id, label: languageName(i18n, id) }))
    .sort((a, b) => rankOf(a.id) - rankOf(b.id) || a.label.localeCompare(b.label, i18n.locale))
}
