import { TITLE_MAX } from '@voxscribe/contracts/business'
import { PageTitle } from '../ui/page-title.tsx'
import { Searched } from './note/searched.tsx'
import type { OpenNote } from './use-open-note.ts'

/** The page's heading, which can be edited in place. Enter saves, Escape cancels. */
export function Title({ document: { title }, search, isRenaming, setRenaming, corrections }: OpenNote) {
  if (!isRenaming) {
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
    setRenaming(false)
    const next = typed.replace(/\s+/g, ' ').trim()
    if (next && next !== title) corrections.retitle(next)
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
        onKeyDown={({ key, currentTarget: input }) => {
          if (key === 'Escape') input.value = title
          if (key === 'Escape' || key === 'Enter') input.blur()
        }}
        className="w-full rounded-control border border-edge bg-surface px-3 py-1 font-display font-semibold text-xl sm:text-4xl"
      />
    </h1>
  )
}
