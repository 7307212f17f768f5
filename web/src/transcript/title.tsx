import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Searched } from './note/searched.tsx'

const TITLE_MAX = 200

interface TitleProps {
  title: string
  /** Words to mark. */
  search: string
  onChange(title: string): void
}

/** The page's heading, which can be edited in place. Enter saves, Escape cancels. */
export function Title({ title, search, onChange }: TitleProps) {
  const [editing, setEditing] = useState(false)
  if (!editing) {
    return (
      <div className="items-start gap-2 sm:flex">
        <PageTitle title={title} className="wrap-anywhere min-w-0">
          <bdi>
            <Searched text={title} search={search} />
          </bdi>
        </PageTitle>
        <Button variant="quiet" size="small" className="max-sm:-ml-3" onClick={() => setEditing(true)}>
          Rename
        </Button>
      </div>
    )
  }
  const save = (typed: string) => {
    setEditing(false)
    const next = typed.replace(/\s+/g, ' ').trim()
    if (next && next !== title) onChange(next)
  }
  return (
    <h1>
      <input
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
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
          setEditing(false)
        }}
        className="w-full rounded-control border border-edge bg-surface px-3 py-1 font-display font-semibold text-3xl sm:text-4xl"
      />
    </h1>
  )
}
