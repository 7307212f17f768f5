import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { i18n } from '../language/i18n.ts'
import { languageTag } from '../note/note-row.tsx'
import { previewPiece } from '../session/client.ts'
import { inPieces } from './pieces.ts'

/** Pieces that wait while one is heard; older ones are left out, so that a slow machine is not buried. */
const MOST_WAITING = 2

interface Draft {
  text: string
  language: string
}
const GAP: Draft = { text: '…', language: 'auto' }

interface WordsAheadProps {
  stream: MediaStream
  step: 'recording' | 'paused' | 'over'
  language: string
}

/** The words of a recording while it goes on, as far as the machine has time to hear them; the note does not use them. */
export function WordsAhead({ stream, step, language }: WordsAheadProps) {
  const [drafts, setDrafts] = useState<Draft[]>([])
  const add = useRef((_: Blob | null) => {})
  const isOver = step === 'over'
  useEffect(() => {
    if (isOver) return
    const ended = new AbortController()
    add.current = inOrder(language, ended.signal, words =>
      setDrafts(before => (words === GAP && before.at(-1) === GAP ? before : [...before, words])),
    )
    return () => ended.abort()
  }, [isOver, language])
  const isRecording = step === 'recording'
  useEffect(() => {
    if (isRecording) return inPieces(stream, piece => add.current(piece))
  }, [isRecording, stream])
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest words are shown when they come
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [drafts])
  if (!drafts.some(words => words !== GAP)) return null
  return (
    <div className="grid w-full min-w-0 gap-1">
      <p className="text-sm text-soft">
        {i18n.t('A first draft. The text comes once you’ve sent the recording.')}
      </p>
      <div
        ref={box}
        role="log"
        // A screen reader would speak into the recording.
        aria-live={isRecording ? 'off' : 'polite'}
        aria-label={i18n.t('Words so far')}
        dir="auto"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        className="max-h-24 overflow-y-auto border-s-2 border-line ps-3 leading-6 wrap-anywhere text-soft"
      >
        {drafts.map(({ text, language }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: words are only added
          <span key={index} lang={languageTag(language)}>
            {text}{' '}
          </span>
        ))}
      </div>
    </div>
  )
}

/** Has pieces (null: a gap) heard in order until aborted or refused. A busy machine may be free for the next one. */
function inOrder(language: string, signal: AbortSignal, show: (words: Draft) => void) {
  const waiting: (Blob | null)[] = []
  let isAtWork = false
  let isOver = false
  const preview = (file: Blob): Promise<Draft> =>
    previewPiece({ query: { language }, file, signal }).then(
      ({ data }) => data,
      error => {
        isOver = signal.aborted || (error instanceof ApiError && error.status >= 400 && error.status < 500)
        return GAP
      },
    )
  return async (piece: Blob | null): Promise<void> => {
    if (isOver || signal.aborted) return
    waiting.push(piece)
    const files = waiting.filter(each => each !== null)
    if (files[0] && files.length > MOST_WAITING) waiting[waiting.indexOf(files[0])] = null
    if (isAtWork) return
    isAtWork = true
    while (waiting.length && !isOver) {
      const next = waiting.shift()
      const words = next ? await preview(next) : GAP
      if (!isOver && words.text) show(words)
    }
    isAtWork = false
  }
}
