import { TAGS_MAX } from '@voxscribe/contracts/limits'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { distinctTags, isTag, tagIn } from '@voxscribe/contracts/tags'
import { i18n } from '../language/i18n.ts'
import { toast } from '../ui/feedback/toast.ts'
import { InlineInput } from '../ui/form/field.tsx'
import { useTags } from './queries.ts'

type Refused = (typeof REFUSALS)['tag_bad' | 'tags_too_many']
const refuse = ({ text, values }: Refused) => void toast(i18n.t(text, values), { type: 'error' })

/** Returns the tags with the typed ones added. If that's refused, says why and returns undefined. */
export function tagsWith(tags: string[], typed: string): string[] | undefined {
  const added = typed
    .split(/[\s,，、]+/)
    .map(tagIn)
    .filter(Boolean)
  const next = distinctTags([...tags, ...added])
  if (!added.every(isTag)) return refuse(REFUSALS.tag_bad)
  if (next.length > TAGS_MAX) return refuse(REFUSALS.tags_too_many)
  return next
}

/** Takes one or more tags and suggests existing ones; Escape cancels. */
export function TagInput({ onDone }: { onDone(typed: string): void }) {
  const known = useTags()
  return (
    <>
      <InlineInput
        list="tags"
        aria-label={i18n.t('Add a tag')}
        placeholder="#"
        maxLength={100}
        onDone={onDone}
        className="min-h-8 w-32 rounded-control border border-edge bg-surface px-2"
      />
      <datalist id="tags">
        {known.map(tag => (
          <option key={tag} value={tag} />
        ))}
      </datalist>
    </>
  )
}
