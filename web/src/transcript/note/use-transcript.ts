import { type QueryFilters, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../session/client.ts'

/** Milliseconds between polls while the note is being transcribed. */
const SOON = 2_500

/** Everything that shows notes. */
export const NOTES: QueryFilters = {
  predicate: ({ queryKey: [kind] }) => kind === 'transcriptions' || kind === 'transcription',
}

export const transcriptQuery = (id: string) =>
  queryOptions({
    queryKey: ['transcription', id],
    queryFn: async ({ signal }) =>
      (await call('transcription', { params: { id }, signal })).data.transcription,
  })

/** `isNew`: it may not be there yet, and is looked for until it is. */
export const transcriptOptions = (id: string, isNew = false) =>
  queryOptions({
    ...transcriptQuery(id),
    refetchInterval: ({ state: { data } }) => (data ? data.status === 'processing' : isNew) && SOON,
  })

export const useTranscript = (id: string) => useQuery(transcriptOptions(id))
