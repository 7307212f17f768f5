import { useQuery } from '@tanstack/react-query'
import { NOTE_SOURCES } from '@voxscribe/contracts/business'
import { languageName, languages } from '@voxscribe/contracts/languages'
import { type ReactNode, useRef, useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { sourceLabel } from '../note/labels.ts'
import { call } from '../session/client.ts'
import { Button } from '../ui/action/button.tsx'
import { useKeys } from '../ui/action/use-keys.ts'
import { Field, Select } from '../ui/form/field.tsx'
import { Summary } from '../ui/layout/summary.tsx'
import { isAll, MORE, STATUSES, type Wanted } from './history-address.ts'
import { endsBeforeItBegins } from './use-history-view.ts'

const STATUS_LABELS: Record<(typeof STATUSES)[number], string> = {
  all: /*i18n*/ 'All',
  completed: /*i18n*/ 'Completed',
  processing: /*i18n*/ 'Processing',
  failed: /*i18n*/ 'Failed',
}
/** Without a maximum, browsers accept years of six digits. */
const DAYS = { type: 'date', min: '2020-01-01', max: '9999-12-31' }

interface FiltersProps {
  wanted: Wanted
  onChange(part: Partial<Wanted>): void
  onClear(): void
}

export function HistoryFilters({ wanted, onChange, onClear }: FiltersProps) {
  const search = useRef<HTMLInputElement>(null)
  useKeys(key => key === '/' && (() => search.current?.focus()))
  const entry = (name: keyof Wanted) => ({
    value: wanted[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  })
  return (
    // biome-ignore lint/a11y/useSemanticElements: older browsers and screen readers know the role, not the element
    <form role="search" onSubmit={event => event.preventDefault()} className="mt-2 grid gap-x-4 sm:mt-4">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(8rem,auto)] gap-2 sm:grid-cols-[minmax(0,1fr)_minmax(12rem,auto)] sm:gap-4">
        <Field
          label={i18n.t('Search')}
          compact
          type="search"
          ref={search}
          placeholder={i18n.t('File name or words')}
          maxLength={200}
          {...entry('search')}
        />
        <Select
          label={i18n.t('Status')}
          compact
          options={STATUSES.map(id => ({ id, label: i18n.t(STATUS_LABELS[id]) }))}
          {...entry('status')}
        />
      </div>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <MoreFilters set={MORE.filter(name => wanted[name]).length}>
          <Select
            label={i18n.t('Language')}
            options={useLanguageOptions(wanted.language)}
            {...entry('language')}
          />
          <Select
            label={i18n.t('Source')}
            options={[
              { id: '', label: i18n.t('Any source') },
              ...NOTE_SOURCES.map(id => ({ id, label: sourceLabel(id) })),
            ]}
            {...entry('source')}
          />
          <Field label={i18n.t('From')} {...DAYS} {...entry('from')} />
          <Field
            label={i18n.t('To')}
            {...DAYS}
            error={endsBeforeItBegins(wanted) ? i18n.t('This day is before “From”.') : undefined}
            {...entry('to')}
          />
        </MoreFilters>
        {!isAll(wanted) && (
          <Button variant="quiet" className="-mx-5" onClick={onClear}>
            {i18n.t('Clear all')}
          </Button>
        )}
      </div>
    </form>
  )
}

/** Collapsed until one of them is set. */
function MoreFilters({ set, children }: { set: number; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details
      open={open || set > 0}
      onToggle={event => setOpen(event.currentTarget.open)}
      className="group open:basis-full"
    >
      <Summary className="w-fit">
        {i18n.t('More filters')}
        {set > 0 && ` (${set})`}
      </Summary>
      <div className="grid gap-4 pt-1 pb-2 xs:grid-cols-2 lg:grid-cols-4">{children}</div>
    </details>
  )
}

/** Offers the languages that the notes are in, and the one in the address. */
function useLanguageOptions(chosen: string) {
  const { data: heard } = useQuery({
    queryKey: ['transcriptions', 'languages'],
    queryFn: async ({ signal }) => (await call('transcriptionStats', { signal })).data.languages,
  })
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
