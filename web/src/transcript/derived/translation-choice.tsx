import { languages } from '@voxscribe/contracts/languages'
import { useEffect, useRef } from 'react'
import { i18n } from '../../language/i18n.ts'
import { rememberLanguage, useNearestFirst } from '../../note/language-choice.tsx'
import { Button, Spinner } from '../../ui/action/button.tsx'
import { useLostFocus } from '../../ui/action/use-lost-focus.ts'
import { Select } from '../../ui/form/field.tsx'
import type { OpenNote } from '../use-open-note.ts'
import { useMaking, useTextModel } from './gist.tsx'

/** Milliseconds that a language must stay chosen before its translation is made, as arrow keys pass through others. */
const DEBOUNCE_MS = 700

/** Chooses the language of the translation beside the text, and makes it; renders nothing without a text model. */
export function TranslationChoice({ document, hasText, isCorrecting, translatedTo, show }: OpenNote) {
  const { id: noteId, translations = [], language } = document
  const hasModel = useTextModel()
  const making = useMaking(noteId)
  const select = useLostFocus<HTMLSelectElement>(making.isPending)
  const timer = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])
  const options = useNearestFirst(languages.filter(({ id }) => id !== 'auto' && id !== language))
  if (!hasModel || !hasText || isCorrecting) return null
  const made = translations.find(each => each.language === translatedTo)
  const make = async (to: string) => (await making.run(to)) || show({ translatedTo: '' })
  const choose = (to: string) => {
    show({ translatedTo: to })
    rememberLanguage(to)
    clearTimeout(timer.current)
    if (to && !translations.some(each => each.language === to))
      timer.current = window.setTimeout(make, DEBOUNCE_MS, to)
  }
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-1 py-1 text-soft text-sm">
      <Select
        ref={select}
        label={i18n.t('Translation')}
        autoFocus
        className="w-56 max-w-full"
        value={translatedTo}
        disabled={making.isPending}
        options={[{ id: '', label: i18n.t('No translation') }, ...options]}
        onChange={event => choose(event.target.value)}
      />
      <p className="flex flex-wrap items-center gap-x-3 not-empty:min-h-11" aria-live="polite">
        {making.isPending && (
          <>
            <Spinner /> {i18n.t('Translating…')}
          </>
        )}
        {made && !making.isPending && i18n.t('Made by a machine. It may contain mistakes.')}
        {made?.stale && !making.isPending && (
          <>
            <strong className="text-warn">{i18n.t('The text has changed since.')}</strong>
            <Button size="small" variant="quiet" onClick={() => make(translatedTo)}>
              {i18n.t('Translate again')}
            </Button>
          </>
        )}
      </p>
      <Button size="small" variant="quiet" onClick={() => show({ isTranslating: false })}>
        {i18n.t('Done')}
      </Button>
    </div>
  )
}
