import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { DataFor } from '../../api/types.ts'
import { call } from '../../session/client.ts'
import { useLiveNotes } from './live.ts'

type Query = NonNullable<Parameters<typeof call<'transcriptions'>>[1]>['query']

/**
 * Milliseconds between polls while the server cannot push changes: short while a note is being transcribed, longer for
 * new notes.
 */
const SOON = 2_500
const LATER = 5_000

/** One page of notes. It updates by itself; the previous page stays visible while the next one loads. */
export function useTranscriptions(query: Query) {
  const isLive = useLiveNotes()
  return useQuery({
    queryKey: ['transcriptions', query],
    queryFn: async ({ signal }): Promise<DataFor<'transcriptions'>> =>
      (await call('transcriptions', { query, signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => !isLive && (state.data?.statistics?.processing ? SOON : LATER),
  })
}
