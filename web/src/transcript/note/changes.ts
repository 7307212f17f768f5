import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../session/client.ts'

/** Fetches everything that shows notes again after one of them has changed. */
function useNotesReload() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      ['transcriptions', 'transcription'].map(key => queries.invalidateQueries({ queryKey: [key] })),
    )
}

/** Deletes a note, text and audio. */
export function useDeletion() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call('deleteTranscription', { params: { id } }),
    onSuccess: (_, id) => queries.removeQueries({ queryKey: ['transcription', id] }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['transcriptions'] }),
  })
}

/** Transcribes a note's audio again, in the same language or another. */
export const useAnotherTry = () =>
  useMutation({
    mutationFn: ({ id, language }: { id: string; language?: string }) =>
      call('refreshTranscription', { params: { id }, ...(language && { body: { language } }) }),
    onSettled: useNotesReload(),
  })
