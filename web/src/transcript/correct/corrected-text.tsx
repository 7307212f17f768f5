import type { Segment } from '@voxscribe/contracts/http'
import { useEffect, useRef } from 'react'
import { i18n } from '../../language/i18n.ts'
import { spokenTime } from '../../language/times.ts'
import { isComposing } from '../../ui/action/use-keys.ts'
import { classes, kerning } from '../../ui/classes.ts'
import { useSaveOnLeaving } from '../../ui/form/save-on-leaving.ts'
import type { Correction } from './corrections.ts'

/** Characters of one passage, at most. */
const LONGEST = 5_000

interface CorrectedTextProps {
  segment: Segment
  onCorrect(correction: Correction): void
}

/** A passage's text in a field. Enter saves and goes to the next one, leaving field or page saves, Escape restores. */
export function CorrectedText({ segment, onCorrect }: CorrectedTextProps) {
  const { id, text, from } = segment
  const field = useRef<HTMLTextAreaElement>(null)
  /** The text before the person's edit. */
  const before = useRef(text)
  useEffect(() => {
    // A text that changed elsewhere (undo, another tab) replaces this one, but never an unfinished edit.
    if (!field.current || field.current.value.trim() !== before.current.trim()) return
    before.current = text
    field.current.value = text
  }, [text])
  const save = (typed: string) => {
    const after = typed.trim()
    if (after === before.current.trim()) return false
    onCorrect({ id, before: before.current, after })
    before.current = after
    return true
  }
  useSaveOnLeaving(field, save)
  return (
    <textarea
      ref={field}
      dir="auto"
      rows={1}
      defaultValue={text}
      aria-label={i18n.t('Text at {time}', { time: spokenTime(from) })}
      maxLength={LONGEST}
      onBlur={event => save(event.currentTarget.value)}
      onKeyDown={event => {
        const own = event.currentTarget
        if (isComposing(event.nativeEvent)) return
        if (event.key === 'Escape') own.value = before.current
        if (event.key !== 'Enter' || event.shiftKey) return
        event.preventDefault()
        const fields = [...document.querySelectorAll<HTMLTextAreaElement>('[data-segment]')]
        // After the last passage, the focus stays with the text instead of moving to the start of the page.
        const next = fields[fields.indexOf(own) + 1] ?? own.closest('section')
        next?.focus()
      }}
      data-segment
      className={classes(
        '-outline-offset-1 field-sizing-content w-full scroll-mb-60 low:scroll-my-4 sm:scroll-mt-72 resize-none rounded-control border border-edge/50 bg-surface px-2 py-1 text-lg leading-relaxed',
        kerning(text),
      )}
    />
  )
}
