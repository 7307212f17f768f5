import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { addressOf, type HistoryView, viewIn } from './history-address.ts'

/** Milliseconds of pause after which a new search or filter counts. */
const PAUSE = 500

type Wanted = Pick<HistoryView, 'search' | 'status'>
const same = (a: Wanted, b: Wanted) => a.search.trim() === b.search && a.status === b.status

/**
 * The view in the address, and what is being typed. After a pause what was typed becomes the address, on page 1;
 * an address that changed otherwise (back, a link) becomes what stands in the fields.
 */
export function useHistoryView() {
  const [address, setAddress] = useSearchParams()
  const view = viewIn(address)
  const [wanted, setWanted] = useState<Wanted>({ search: view.search, status: view.status })
  const own = useRef<Wanted>(wanted)

  const { search, status } = view
  useEffect(() => {
    const fromElsewhere = !same(own.current, { search, status })
    own.current = { search, status }
    if (fromElsewhere) setWanted({ search, status })
  }, [search, status])

  useEffect(() => {
    if (same(wanted, { search, status })) return
    const timer = setTimeout(() => {
      own.current = { ...wanted, search: wanted.search.trim() }
      setAddress(addressOf({ ...own.current, page: 1 }), { replace: true })
    }, PAUSE)
    return () => clearTimeout(timer)
  }, [wanted, search, status, setAddress])

  const change = useCallback((part: Partial<Wanted>) => setWanted(before => ({ ...before, ...part })), [])
  return {
    view,
    wanted,
    change,
    clear: () => {
      own.current = { search: '', status: 'all' }
      setWanted(own.current)
      setAddress(new URLSearchParams(), { replace: true })
    },
    openPage: (page: number, options?: { replace: boolean }) =>
      setAddress(addressOf({ ...view, page }), options),
  }
}
