import { type QueryFilters, queryOptions, useQuery } from '@tanstack/react-query'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { call } from '../../session/client.ts'

/** Milliseconds between polls while the note is being transcribed. */
const SOON = 1_500

/** Everything that shows notes. */
export const NOTES: QueryFilters = {
  predicate: ({ queryKey: [kind] }) => kind === 'transcriptions' || kind === 'transcription',
}

/** Fields that an older service may leave out: a page that lacks one stays readable. */
const DEFAULTS = {
  title: '',
  fileName: '',
  fileSize: 0,
  createdAt: '',
  source: '',
  language: 'auto',
  text: '',
  notice: null,
  noticeCodes: [],
  error: null,
  errorCode: null,
  confidenceScore: null,
  durationSeconds: null,
  partial: null,
  timesExact: true,
  timeline: [],
  engine: null,
  original: null,
  audioUrl: null,
  levels: [],
} satisfies Partial<TranscriptionDocument>

/** The document with whatever an answer has left out. */
export function complete(answer: TranscriptionDocument): TranscriptionDocument {
  const document = { ...DEFAULTS, ...answer }
  const { text } = document
  const whole = text ? [{ id: '1', from: 0, to: 0, text, confidence: null }] : []
  const title = document.title || document.fileName || 'Voice note'
  return { ...document, title, segments: answer.segments ?? whole }
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
    refetchInterval: ({ state: { data } }) => (data ? data.status === 'processing' : isNew) && SOON,
  })

export const useTranscript = (id: string) => useQuery(transcriptOptions(id))
