import { useQuery } from '@tanstack/react-query'
import { NOTE_SOURCES } from '@voxscribe/contracts/channels'
import { languageName, languages } from '@voxscribe/contracts/languages'
import { QUESTION_MAX } from '@voxscribe/contracts/limits'
import { distinctTags } from '@voxscribe/contracts/tags'
import { useRef } from 'react'
import { i18n } from '../language/i18n.ts'
import { sourceLabel } from '../language/names.ts'
import { statsQuery, useTags } from '../note/queries.ts'
import { Button } from '../ui/action/button.tsx'
import { useKeys } from '../ui/action/use-keys.ts'
import { classes } from '../ui/classes.ts'
import { figure } from '../ui/figures.ts'
import { Field, Select } from '../ui/form/field.tsx'
import { ALL, type Filter, isRangeReversed, isUnfiltered, MORE, STATUSES } from './history-view.ts'

const STATUS_LABELS: Record<(typeof STATUSES)[number], string> = {
  all: /*i18n*/ 'All',
  completed: /*i18n*/ 'Completed|notes',
  processing: /*i18n*/ 'Processing',
  failed: /*i18n*/ 'Failed|notes',
}
/** Without a maximum, browsers accept six-digit years. */
const DAYS = { type: 'date', min: '2020-01-01', max: '9999-12-31' }

interface FiltersProps {
  wanted: Filter
  onChange(part: Partial<Filter>): void
  onClear(): void
  /** Whether there are enough notes to filter. */
  hasMany: boolean
  /** Whether all filters are shown; if not, a phone shows only the search. */
  isOpen: boolean
  onOpen(isOpen: boolean): void
}

export function HistoryFilters({ wanted, onChange, onClear, hasMany, isOpen, onOpen }: FiltersProps) {
  const search = useRef<HTMLInputElement>(null)
  useKeys(key => key === '/' && (() => search.current?.focus()))
  const languageOptions = useLanguageOptions(wanted.language)
  const tags = useTags()
  const entry = (name: keyof Filter) => ({
    value: wanted[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  })
  const set = MORE.filter(name => wanted[name]).length
  const hasFilters = hasMany || set > 0 || wanted.status !== ALL.status
  return (
    // biome-ignore lint/a11y/useSemanticElements: older browsers and screen readers know the role, not the element
    <form role="search" onSubmit={event => event.preventDefault()} className="mt-2 sm:mt-3 lg:grow">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2 *:only:col-span-full sm:grid-cols-[minmax(0,1fr)_12rem_auto] sm:gap-4">
        <Field
          label={i18n.t('Search')}
          compact
          type="search"
          ref={search}
          placeholder={i18n.t('File name or words')}
          maxLength={QUESTION_MAX}
          {...entry('search')}
        />
        {hasFilters && (
          <>
            <Select
              label={i18n.t('Status')}
              className={classes('max-sm:order-last max-sm:col-span-2', !isOpen && 'max-sm:hidden')}
              options={STATUSES.map(id => ({ id, label: i18n.t(STATUS_LABELS[id]) }))}
              {...entry('status')}
            />
            <Button
              variant="secondary"
              aria-expanded={isOpen}
              onClick={() => onOpen(!isOpen)}
              className="max-sm:px-3"
            >
              {i18n.t('Filters')}
              {set > 0 && ` (${figure(set)})`}
            </Button>
          </>
        )}
      </div>
      {hasFilters && isOpen && (
        <div className="grid gap-4 pt-3 pb-2 xs:grid-cols-2 lg:grid-cols-5">
          <Select label={i18n.t('Language')} options={languageOptions} {...entry('language')} />
          <Select
            label={i18n.t('Source')}
            options={[
              { id: '', label: i18n.t('Any source') },
              ...NOTE_SOURCES.map(id => ({ id, label: sourceLabel(id) })),
            ]}
            {...entry('source')}
          />
          <Select
            label={i18n.t('Tag')}
            options={[
              { id: '', label: i18n.t('Any tag') },
              ...distinctTags([...(wanted.tag ? [wanted.tag] : []), ...tags]).map(id => ({
                id,
                label: `#${id}`,
              })),
            ]}
            {...entry('tag')}
          />
          <Field label={i18n.t('From')} {...DAYS} {...entry('from')} />
          <Field
            label={i18n.t('To')}
            {...DAYS}
            error={isRangeReversed(wanted) ? i18n.t('This day is before “From”.') : undefined}
            {...entry('to')}
          />
        </div>
      )}
      {!isUnfiltered(wanted) && (
        <Button variant="quiet" size="small" className="-mx-3" onClick={onClear}>
          {i18n.t('Clear all')}
        </Button>
      )}
    </form>
  )
}

/** Offers the languages of the person's notes, and the one in the address. */
function useLanguageOptions(chosen: string) {
  const heard = useQuery(statsQuery).data?.languages
  const offered = heard ? languages.filter(({ id }) => id === chosen || heard.includes(id)) : languages
  const named = offered
    .filter(({ id }) => id !== 'auto')
    .map(({ id }) => ({ id, label: languageName(i18n, id) }))
    .sort((a, b) => a.label.localeCompare(b.label, i18n.locale))
  return [
    { id: '', label: i18n.t('Any language') },
    ...offered.filter(({ id }) => id === 'auto').map(({ id }) => ({ id, label: i18n.t('Not known') })),
    ...named,
  ]
}
