import { useState } from 'react'

const KEY = 'transcriptView'

/** How the text is shown: in paragraphs or line by line, as this browser did last; for correcting; as it was recognised. */
export function useView(search: string) {
  const [isByLine, setByLine] = useState(() => localStorage.getItem(KEY) === 'lines')
  const [isCorrecting, setCorrecting] = useState(false)
  const [isSearching, setSearching] = useState(search !== '')
  const [showsOriginal, setShowsOriginal] = useState(false)
  return {
    isByLine: isByLine || isCorrecting,
    isCorrecting,
    isSearching,
    showsOriginal,
    setCorrecting,
    setSearching,
    setShowsOriginal,
    setByLine(next: boolean) {
      setByLine(next)
      localStorage.setItem(KEY, next ? 'lines' : 'paragraphs')
    },
  }
}
export type View = ReturnType<typeof useView>
