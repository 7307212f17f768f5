import { Field, Select } from '../../ui/field.tsx'
import { type Filter, filters, type HistoryView } from './history-address.ts'

type Wanted = Pick<HistoryView, 'search' | 'status'>

interface FiltersProps {
  wanted: Wanted
  onChange(part: Partial<Wanted>): void
}

const names: Record<Filter, string> = {
  all: 'All',
  completed: 'Completed',
  processing: 'Processing',
  failed: 'Failed',
}

export const HistoryFilters = ({ wanted, onChange }: FiltersProps) => (
  // biome-ignore lint/a11y/useSemanticElements: older browsers and screen readers know the role, not the element
  <form
    role="search"
    onSubmit={event => event.preventDefault()}
    className="mt-6 grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]"
  >
    <Field
      label="Search"
      type="search"
      placeholder="File name or words"
      maxLength={200}
      value={wanted.search}
      onChange={event => onChange({ search: event.target.value })}
    />
    <Select
      label="Status"
      value={wanted.status}
      onChange={event => onChange({ status: filters.find(filter => filter === event.target.value) ?? 'all' })}
    >
      {filters.map(filter => (
        <option key={filter} value={filter}>
          {names[filter]}
        </option>
      ))}
    </Select>
  </form>
)
