import { TAGS_MAX } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { TagInput, tagsWith } from '../note/tag-input.tsx'
import { useLostFocus } from '../ui/action/use-lost-focus.ts'
import { Row } from '../ui/layout/details.tsx'
import type { OpenNote } from './use-open-note.ts'

/** The note's tags, each of which links to all notes that have it; tags can be removed and added. */
export function Tags({ document, corrections, isPlain }: OpenNote) {
  const { tags } = document
  const [isAdding, setAdding] = useState(false)
  const button = useLostFocus<HTMLButtonElement>(`${isAdding} ${tags.length}`)
  const add = (typed: string) => {
    const next = tagsWith(tags, typed)
    if (!next) return
    setAdding(false)
    if (next.length > tags.length) corrections.acts.tag(next)
  }
  if (isPlain && !tags.length) return null
  return (
    <Row
      name={i18n.t('Tags')}
      value={tags.map(tag => (
        <bdi key={tag} className="not-first:ms-1">
          #{tag}
        </bdi>
      ))}
    >
      <ul aria-label={i18n.t('Tags')} className="flex flex-wrap items-center gap-1.5 text-sm">
        {tags.map(tag => (
          <li key={tag} className="flex shrink-0 items-center rounded-full bg-wash ps-2.5 text-accent">
            <Link
              to={`/transcription-history?${new URLSearchParams({ tag })}`}
              className="-outline-offset-2 hover:underline"
            >
              <bdi>#{tag}</bdi>
            </Link>
            <button
              type="button"
              aria-label={i18n.t('Remove the tag {tag}', { tag })}
              onClick={() => corrections.acts.tag(tags.filter(other => other !== tag))}
              className="print:hidden -outline-offset-2 grid size-7 place-items-center rounded-full hover:bg-surface"
            >
              ×
            </button>
          </li>
        ))}
        {tags.length < TAGS_MAX && (
          <li className="print:hidden first:-ms-2">
            {isAdding ? (
              <TagInput onDone={add} />
            ) : (
              <button
                ref={button}
                type="button"
                onClick={() => setAdding(true)}
                className="-outline-offset-2 min-h-8 whitespace-nowrap rounded-control px-2 text-accent hover:bg-wash"
              >
                + {i18n.t('Tag')}
              </button>
            )}
          </li>
        )}
      </ul>
    </Row>
  )
}
