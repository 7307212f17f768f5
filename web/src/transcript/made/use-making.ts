import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useConfig } from '../../api/config.ts'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { messageOf } from '../../ui/error-message.ts'
import { toast } from '../../ui/toast.ts'
import { NOTES } from '../note/use-transcript.ts'

/** Whether this installation has a text model. */
export const useTextModel = (): boolean => useConfig().data?.textModel ?? false

/** Asks the text model for the gist of a note, or for its translation into a language. */
export function useMaking(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (language?: string) =>
      language
        ? call('translate', { params: { id }, body: { language } })
        : call('makeGist', { params: { id } }),
    onError: error => toast(messageOf(error, i18n.t('That didn’t work')), { type: 'error' }),
    onSettled: () => queries.invalidateQueries(NOTES),
  })
}
