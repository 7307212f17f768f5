import type { Segment, TranscriptionDocument } from '@voxscribe/contracts/http'
import { SEARCH_MAX } from '@voxscribe/contracts/limits'
import { foundIn, type TextRange } from '@voxscribe/contracts/search-words'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { readStored, writeStored } from '../storage.ts'
import { useLostFocus } from '../ui/action/use-lost-focus.ts'
import { useWide } from '../ui/layout/use-wide.ts'
import { useCorrections } from './correct/corrections.ts'
import { useFollowing } from './player/following.tsx'
import { usePlayer } from './player/player.ts'
import { textOf } from './text/spoken-text.tsx'

const VIEW = 'transcriptView'
const SHORT_SECONDS = 30

/** The parts that are shown or open at first. */
const SHOWN = {
  isCorrecting: false,
  isRenaming: false,
  isSearching: false,
  /** Whether the choice of a translation's language is open. */
  isTranslating: false,
  /** Whether the form for the note's link is open. */
  isSharing: false,
  /** Whether the question about the number of voices is open on a narrow screen. */
  isAskingWhoSpeaks: false,
  /** Indexes of the first and last passage to quote, while they are being chosen. */
  quoting: null as [first: number, last: number] | null,
  translatedTo: '',
  showsOriginal: false,
  /** Index of the current match of the search. */
  matchAt: 0,
}

/** State shared by the parts of a note's page. `onStale` refetches the note after its audio's address has expired. */
export function useOpenNote(saved: TranscriptionDocument, onStale: () => void) {
  const corrections = useCorrections(saved)
  const { document } = corrections
  const { audioUrl, durationSeconds, translations } = document
  const player = usePlayer(durationSeconds ? audioUrl : null, durationSeconds ?? 0)
  const [address, setAddress] = useSearchParams()
  // State of the history entry: the list that the note was opened from.
  const { state } = useLocation()
  // Deferred, so that marking the matches of a long note doesn't delay typing.
  const search = useDeferredValue(address.get('search')?.slice(0, SEARCH_MAX) ?? '')
  const asked = [corrections.conflicts.length, corrections.undo !== undefined]
  const region = useLostFocus<HTMLElement>(asked.join())
  const isWide = useWide()
  const isShort = (durationSeconds ?? 0) < SHORT_SECONDS
  const [isByLine, setByLine] = useState(() => readStored(VIEW) === 'lines')
  const [shown, setShown] = useState(() => ({ ...SHOWN, isSearching: search !== '' }))
  const { isCorrecting, translatedTo } = shown
  const { segments } = (shown.showsOriginal && document.original) || document
  const found = useMemo(() => foundInPassages(segments, search), [segments, search])
  const matches = useMemo(
    () => [...found].flatMap(([id, ranges]) => ranges.map(({ from }) => ({ id, from }))),
    [found],
  )
  // Links in files point to a second of the note.
  const second = Number(address.get('t'))
  const plays = address.has('t') && Object(state).plays === true
  useEffect(() => {
    // Browsers let a page play audio only after a press in it.
    if (plays && navigator.userActivation?.isActive) player?.playFrom(second)
    else if (second > 0) player?.seek(second)
  }, [player, second, plays])
  return {
    document,
    player,
    onStale,
    following: useFollowing(player),
    corrections,
    search,
    setSearch: (next: string) => setAddress(next ? { search: next } : {}, { replace: true, state }),
    /** The displayed segments: corrected, or the original ones. */
    segments,
    /** The matches in each segment that has any, by the segment's id. */
    found,
    /** All matches in order. */
    matches,
    ...shown,
    matchAt: Math.min(shown.matchAt, Math.max(0, matches.length - 1)),
    /** Changes what is shown or open. */
    show: (part: Partial<typeof SHOWN>) => setShown(before => ({ ...before, ...part })),
    hasText: document.status === 'completed' && document.segments.length > 0,
    /** The translation shown beside the text; undefined for none. */
    translation: translations?.find(({ language }) => language === translatedTo),
    /** A short note on a narrow screen shows its text, and no rows for what it doesn't have. */
    isPlain: !isWide && isShort,
    isShort,
    isByLine: isByLine || isCorrecting || translatedTo !== '',
    /** This browser keeps the choice for the next note. */
    setByLine(next: boolean) {
      setByLine(next)
      writeStored(VIEW, next ? 'lines' : 'paragraphs')
    },
    /** The region of the text, which takes the focus when the search ends or a question about the text is answered. */
    region,
  }
}

const foundInPassages = (segments: Segment[], search: string): ReadonlyMap<string, TextRange[]> =>
  new Map(
    (search ? segments : [])
      .map(segment => [segment.id, foundIn(textOf(segment), search)] as const)
      .filter(([, ranges]) => ranges.length > 0),
  )

export type OpenNote = ReturnType<typeof useOpenNote>
