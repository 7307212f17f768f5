import { NOTE_SOURCES } from '@voxscribe/contracts/business'
import { languageLabel, languages } from '@voxscribe/contracts/languages'
import { useState } from 'react'
import { sourceLabel } from '../transcript/note/source-label.ts'
import { Button } from '../ui/button.tsx'
import { Field, Select } from '../ui/field.tsx'
import { Summary } from '../ui/summary.tsx'
import { isAll, MORE, STATUSES, sourceIn, type Wanted } from './history-address.ts'
import { useLanguagesHeard } from './transcriptions.ts'
import { endsBeforeItBegins } from './use-history-view.ts'

interface FiltersProps {
  wanted: Wanted
  onChange(part: Partial<Wanted>): void
  onClear(): void
}

const STATUS_OPTIONS = STATUSES.map(id => ({ id, label: `${id[0]?.toUpperCase()}${id.slice(1)}` }))
const SOURCE_OPTIONS = NOTE_SOURCES.map(id => ({ id, label: sourceLabel(id) }))
/** Without a maximum, browsers accept years of six digits. */
const [FIRST_DAY, LAST_DAY] = ['2020-01-01', '9999-12-31']

export function HistoryFilters({ wanted, onChange, onClear }: FiltersProps) {
  const { search, status } = wanted
  return (
    // biome-ignore lint/a11y/useSemanticElements: older browsers and screen readers know the role, not the element
    <form role="search" onSubmit={event => event.preventDefault()} className="mt-6 grid gap-x-4 gap-y-2">
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        <Field
          label="Search"
          type="search"
          placeholder="File name or words"
          maxLength={200}
          value={search}
          onChange={event => onChange({ search: event.target.value })}
        />
        <Select
          label="Status"
          value={status}
          options={STATUS_OPTIONS}
          onChange={event => onChange({ status: STATUSES.find(one => one === event.target.value) ?? 'all' })}
        />
      </div>
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <MoreFilters wanted={wanted} onChange={onChange} />
        {!isAll(wanted) && (
          <Button variant="quiet" className="-mx-5" onClick={onClear}>
            Clear all
          </Button>
        )}
      </div>
    </form>
  )
}

/** Collapsed until one of them is set. */
function MoreFilters({ wanted, onChange }: Omit<FiltersProps, 'onClear'>) {
  const [open, setOpen] = useState(false)
  const set = MORE.filter(name => wanted[name]).length
  return (
    <details
      open={open || set > 0}
      onToggle={event => setOpen(event.currentTarget.open)}
      className="group open:basis-full"
    >
      <Summary className="w-fit">More filters{set > 0 && ` (${set})`}</Summary>
      <div className="grid gap-4 pt-1 pb-2 xs:grid-cols-2 lg:grid-cols-4">
        <LanguageFilter value={wanted.language} onChange={language => onChange({ language })} />
        <Select
          label="Source"
          value={wanted.source}
          options={[{ id: '', label: 'Any source' }, ...SOURCE_OPTIONS]}
          onChange={event => onChange({ source: sourceIn(event.target.value) })}
        />
        <Field
          label="From"
          type="date"
          min={FIRST_DAY}
          max={LAST_DAY}
          value={wanted.from}
          onChange={event => onChange({ from: event.target.value })}
        />
        <Field
          label="To"
          type="date"
          min={FIRST_DAY}
          max={LAST_DAY}
          value={wanted.to}
          error={endsBeforeItBegins(wanted) ? 'This day is before “From”.' : undefined}
          onChange={event => onChange({ to: event.target.value })}
        />
      </div>
    </details>
  )
}

interface LanguageFilterProps {
  value: string
  onChange(language: string): void
}

/** Offers the languages that the notes are in, and the one in the address. */
function LanguageFilter({ value, onChange }: LanguageFilterProps) {
  const heard = useLanguagesHeard()
  const offered = heard ? languages.filter(({ id }) => id === value || heard.includes(id)) : languages
  return (
    <Select
      label="Language"
      value={value}
      options={[
        { id: '', label: 'Any language' },
        ...offered.map(({ id }) => ({ id, label: id === 'auto' ? 'Not known' : languageLabel(id) })),
      ]}
      onChange={event => onChange(event.target.value)}
    />
  )
}
