import { type QueryFilters, queryOptions, useQuery } from '@tanstack/react-query'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { i18n } from '../language/i18n.ts'
import { call, queryOf } from '../session/client.ts'

/** Milliseconds between polls while a note is being transcribed. */
const POLL_MS = 1_500

export const NOTES: QueryFilters = {
  predicate: ({ queryKey: [kind] }) => kind === 'transcriptions' || kind === 'transcription',
}

/** Defaults for fields that the page can't do without, as an older service may omit them. */
const DEFAULTS = {
  fileName: '',
  fileSize: 0,
  createdAt: '',
  source: '',
  language: 'auto',
  confidenceScore: null,
  timesExact: true,
  timeline: [],
  tags: [],
  levels: [],
}

/** Returns the document with defaults for the fields that the response lacks. */
export function complete(answer: Partial<TranscriptionDocument>) {
  const { text, title, fileName } = answer
  const whole = text ? [{ id: '1', from: 0, to: 0, text, confidence: null }] : []
  const named = title || fileName || i18n.t('Voice note')
  return { ...DEFAULTS, segments: whole, ...answer, title: named } as TranscriptionDocument
}

export const transcriptQuery = (id: string) =>
  queryOptions({
    queryKey: ['transcription', id],
    queryFn: async ({ signal }) =>
      complete((await call('transcription', { params: { id }, signal })).data.transcription),
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
