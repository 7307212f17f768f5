import { useQuery } from '@tanstack/react-query'
import { call } from '../session/client.ts'

/** Milliseconds between polls while the note is being transcribed. */
const SOON = 2_500

export const transcriptKey = (id: string) => ['transcription', id]

export const useTranscript = (id: string) =>
  useQuery({
    queryKey: transcriptKey(id),
    queryFn: async ({ signal }) =>
      (await call('transcription', { params: { id }, signal })).data.transcription,
    refetchInterval: ({ state }) => state.data?.status === 'processing' && SOON,
  })
