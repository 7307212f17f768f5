import { type QueryFilters, queryOptions, useQuery } from '@tanstack/react-query'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { i18n } from '../language/i18n.ts'
import { call, queryOf } from '../session/client.ts'

/** Milliseconds between polls while the note is being transcribed. */
const SOON = 1_500

export const NOTES: QueryFilters = {
  predicate: ({ queryKey: [kind] }) => kind === 'transcriptions' || kind === 'transcription',
}

/** Fields without which the page could not be shown: an older service may leave them out. */
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

/** The document with whatever an answer has left out. */
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

/** `isNew`: it may not be there yet, and is looked for until it is. */
export const transcriptOptions = (id: string, isNew = false) =>
  queryOptions({
    ...transcriptQuery(id),
    refetchInterval: ({ state: { data } }) =>
      (data ? data.status === 'processing' || (data.speakersProgress ?? null) !== null : isNew) && SOON,
  })

export const useTranscript = (id: string) => useQuery(transcriptOptions(id))

/** The numbers of all notes of the person. */
export const statsQuery = queryOptions({
  queryKey: ['transcriptions', 'stats'],
  queryFn: async ({ signal }) => (await call('transcriptionStats', { signal })).data,
})

export const useTags = (): string[] => useQuery(statsQuery).data?.tags ?? []

/** A person's forms of texts, and examples to begin with. */
export const formsQuery = queryOf('forms', data => data)
