import { type QueryFilters, queryOptions, useQuery } from '@tanstack/react-query'
import { call, queryOf } from '../session/client.ts'

/** Milliseconds between polls while a note is being transcribed. */
const POLL_MS = 1_500

export const NOTES: QueryFilters = {
  predicate: ({ queryKey: [kind] }) => kind === 'transcriptions' || kind === 'transcription',
}

export const transcriptQuery = (id: string) =>
  queryOptions({
    queryKey: ['transcription', id],
    queryFn: async ({ signal }) =>
      (await call('transcription', { params: { id }, signal })).data.transcription,
  })

/** `isNew`: the note may not exist yet, and is polled until it does. */
export const transcriptOptions = (id: string, isNew = false) =>
  queryOptions({
    ...transcriptQuery(id),
    refetchInterval: ({ state: { data } }) =>
      (data ? data.status === 'processing' || (data.speakersProgress ?? null) !== null : isNew) && POLL_MS,
  })

export const useTranscript = (id: string) => useQuery(transcriptOptions(id))

/** The statistics of all the person's notes. */
export const statsQuery = queryOf('transcriptionStats', data => data, ['transcriptions', 'stats'])

export const useTags = (): string[] => useQuery(statsQuery).data?.tags ?? []

/** The person's forms of texts, and examples to start from. */
export const formsQuery = queryOf('forms', data => data)
