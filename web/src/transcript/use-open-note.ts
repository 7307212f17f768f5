import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { useCorrections } from './correct/use-corrections.ts'
import { useFollowing } from './player/following.tsx'
import { usePlayer } from './player/player.ts'

const VIEW = 'transcriptView'

/**
 * State shared by the parts of a note's page. `onStale` fetches the note again: the address of its audio has expired. There
 * is no player before the note is measured, or when it has no sound.
 */
export function useOpenNote(document: TranscriptionDocument, onStale: () => void) {
  const { id, audioUrl, durationSeconds, translations } = document
  const player = usePlayer(durationSeconds ? audioUrl : null, durationSeconds ?? 0)
  const [address, setAddress] = useSearchParams()
  // The list that the note was opened from.
  const { state } = useLocation()
  const search = address.get('search')?.slice(0, 200) ?? ''
  const [isByLine, setByLine] = useState(() => localStorage.getItem(VIEW) === 'lines')
  const [isCorrecting, setCorrecting] = useState(false)
  const [isRenaming, setRenaming] = useState(false)
  const [isSearching, setSearching] = useState(search !== '')
  const [translatedTo, setTranslatedTo] = useState('')
  const [showsOriginal, setShowsOriginal] = useState(false)
  return {
    document,
    player,
    onStale,
    following: useFollowing(player),
    corrections: useCorrections(id),
    /** Words to mark. */
    search,
    setSearch: (next: string) => setAddress(next ? { search: next } : {}, { replace: true, state }),
    hasText: document.status === 'completed' && document.segments.length > 0,
    /** The translation that is shown beside the text; empty for none. */
    translation: translations?.find(({ language }) => language === translatedTo),
    translatedTo,
    setTranslatedTo,
    isByLine: isByLine || isCorrecting || translatedTo !== '',
    /** This browser keeps it for the next note. */
    setByLine(next: boolean) {
      setByLine(next)
      localStorage.setItem(VIEW, next ? 'lines' : 'paragraphs')
    },
    isCorrecting,
    setCorrecting,
    isRenaming,
    setRenaming,
    isSearching,
    setSearching,
    showsOriginal,
    setShowsOriginal,
  }
}
export type OpenNote = ReturnType<typeof useOpenNote>
