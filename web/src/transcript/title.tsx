import { PageTitle } from '../ui/page-title.tsx'
import { Searched } from './note/searched.tsx'

const TITLE_MAX = 200

interface TitleProps {
  title: string
  /** Words to mark. */
  search: string
  editing: boolean
  /** The person has ended editing. */
  onEnd(): void
  onChange(title: string): void
}

/** The page's heading, which can be edited in place. Enter saves, Escape cancels. */
export function Title({ title, search, editing, onEnd, onChange }: TitleProps) {
  if (!editing) {
    return (
      <PageTitle
        title={title}
        className="wrap-anywhere max-sm:line-clamp-2 max-sm:text-xl max-[22.5rem]:text-lg"
      >
        <bdi>
          <Searched text={title} search={search} />
        </bdi>
      </PageTitle>
    )
  }
  const save = (typed: string) => {
    onEnd()
    const next = typed.replace(/\s+/g, ' ').trim()
    if (next && next !== title) onChange(next)
  }
  return (
    <h1>
      <input
        // biome-ignore lint/a11y/noAutofocus: its menu entry was pressed
        autoFocus
        aria-label="Title"
        defaultValue={title}
        maxLength={TITLE_MAX}
        dir="auto"
        onFocus={event => event.currentTarget.select()}
        onBlur={event => save(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key !== 'Escape') return
          event.currentTarget.value = title
          onEnd()
        }}
        className="w-full rounded-control border border-edge bg-surface px-3 py-1 font-display font-semibold text-xl sm:text-4xl"
      />
    </h1>
  )
}
