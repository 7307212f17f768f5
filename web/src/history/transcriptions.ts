import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { HISTORY_PAGE_SIZE } from '@voxscribe/contracts/business'
import type { DataFor } from '../api/types.ts'
import { call } from '../session/client.ts'
import { type HistoryView, queryOf } from './history-address.ts'
import { useLiveNotes } from './live.ts'

type TranscriptionPage = DataFor<'transcriptions'>

/**
 * Milliseconds between polls while the server cannot push changes: short while a note is being transcribed, longer for
 * new notes.
 */
const SOON = 2_500
const LATER = 5_000

/** One page of the history. It updates by itself; the previous page stays visible while the next one loads. */
export function useTranscriptions(view: HistoryView) {
  const isLive = useLiveNotes()
  return useQuery({
    queryKey: ['transcriptions', view],
    queryFn: async ({ signal }): Promise<TranscriptionPage> => {
      const query = { ...queryOf(view), limit: HISTORY_PAGE_SIZE }
      return (await call('transcriptions', { query, signal })).data
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => !isLive && (state.data?.statistics.processing ? SOON : LATER),
  })
}
